"""What is worth saying of a pool: each rule one judgement, its docstring the rule itself."""
