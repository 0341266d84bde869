"""Pure functions from model values to findings, forecasts and plans of pools."""
