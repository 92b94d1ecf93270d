// Placeholder until the suite's first file lands.
