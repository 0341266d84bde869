"""Building blocks of all views: styled text, safe text, tables, sorting and filtering."""
