"""Hosts: state, facts for plans, machine, capabilities."""
