alter table rule_fold
  -- What rules about the distance to other vehicles go on with; null without such a rule.
  add near jsonb,
  -- From when on another vehicle's reports came too late for them; null if none did.
  add near_late_at timestamptz,
  -- How often that was noted.
  add near_late_marks bigint;
