"""Pure: model to cells. Text of hosts is cleaned here and never meets markup."""
