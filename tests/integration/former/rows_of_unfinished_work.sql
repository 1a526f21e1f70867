INSERT INTO "asks" VALUES(1,'tg:1:3','telegram:41',0,5,'telegram:41','running','bea9d6d2cfb626be4a3c498e4e326313f8f960bd231f64f896897c6a00369d15',NULL,NULL,'2026-11-28 00:00:00.000000');
INSERT INTO "runs" VALUES('tg:1:3','answer','telegram:41','telegram:41/0','running','2026-11-28 00:07:02.438088');
INSERT INTO "runs" VALUES('tg:1:2','answer','telegram:41','telegram:41/0','complete','2026-11-28 00:07:02.453916');
INSERT INTO "run_events" VALUES(1,'tg:1:3','started:draft:1','step_started','{"type": "step_started", "schema": 1, "step": "draft", "number": 1}','2026-11-28 00:07:02.438943');
INSERT INTO "run_events" VALUES(2,'tg:1:2','end','complete','{"label": "verified", "exchange": "x"}','2026-11-28 00:07:02.453943');
