"""What is to be done about a pool before what its findings say: evidence that `what_to_do` reads."""
