"""JSON of `zconsole capacity`: one module a question."""
