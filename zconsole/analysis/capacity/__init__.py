"""Planning a pool: what a layout holds, what it survives, what data needs, what a change would bring."""
