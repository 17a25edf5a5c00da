"""The shipped games and house rules, one small file each; each states only its difference from the standard Ruleset."""
