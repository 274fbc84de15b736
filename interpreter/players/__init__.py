"""Who answers decisions: people, chance, greed and search."""
