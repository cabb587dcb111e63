-- What was found out about an engine: beside the count of a unit, and beside the sum of a run. Empty where no
-- engine was examined. Of a run it changes with its sum; of a finding never.
ALTER TABLE runs ADD COLUMN survey TEXT CHECK (survey IS NULL OR json_valid(survey));
ALTER TABLE findings ADD COLUMN survey TEXT CHECK (survey IS NULL OR json_valid(survey));
