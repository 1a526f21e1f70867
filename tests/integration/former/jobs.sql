BEGIN TRANSACTION;
CREATE TABLE application_versions (
    version_id TEXT NOT NULL PRIMARY KEY,
    version_name TEXT NOT NULL UNIQUE,
    version_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    created_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
, "application_name" TEXT DEFAULT NULL);
INSERT INTO "application_versions" VALUES('dbe55e0d-e320-48fb-9c2e-6890a1f10403','1',1795824422000,1795824422000,'thinktwice');
CREATE TABLE dbos_migrations (version INTEGER NOT NULL PRIMARY KEY);
INSERT INTO "dbos_migrations" VALUES(125);
CREATE TABLE notifications (
    message_uuid TEXT NOT NULL DEFAULT (hex(randomblob(16))) PRIMARY KEY,
    destination_uuid TEXT NOT NULL,
    topic TEXT,
    message TEXT NOT NULL,
    created_at_epoch_ms INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000), "serialization" TEXT DEFAULT NULL, "consumed" BOOLEAN NOT NULL DEFAULT FALSE, consumed_by_function_id INTEGER,
    FOREIGN KEY (destination_uuid) REFERENCES workflow_status(workflow_uuid) 
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE "operation_outputs" (
    workflow_uuid TEXT NOT NULL,
    function_id INTEGER NOT NULL,
    function_name TEXT NOT NULL DEFAULT '',
    output TEXT,
    error TEXT,
    child_workflow_id TEXT,
    started_at_epoch_ms INTEGER,
    completed_at_epoch_ms INTEGER,
    serialization TEXT,
    application_name TEXT DEFAULT NULL,
    retention_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    PRIMARY KEY (workflow_uuid, function_id)
);
INSERT INTO "operation_outputs" VALUES('tg:1:2',1,'draft','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"rag.runs.work:Outcome","as":"963f116b","of":{"value":"Java 8.","detail":{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"step-failed","values":{"$":"dict","of":[["reason","none"]]}}},"calls":{"$":"tuple","of":[{"$":"rag.values.usage:ModelCall","as":"dc30ef6e","of":{"role":"draft","model":"a-model","input_tokens":120,"output_tokens":17,"seconds":{"$":"float","of":"0.25"},"calls":1,"is_partial":false,"seat":"","purpose":"","cut":null}}]},"prompt":"","notes":{"$":"tuple","of":[]}}},"error":null}},"before":{"$":"dict","of":[["recall",{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"tuple","of":[{"$":"rag.values.questions:Turn","as":"67622aa5","of":{"role":"user","text":"hello","author":"","passages":{"$":"tuple","of":[]},"label":null}},null,{"$":"float","of":"1.0"}]},"error":null}}]]}}}',NULL,NULL,1795824423799,1795824423816,'thinktwice_1','thinktwice',1795824423000);
INSERT INTO "operation_outputs" VALUES('tg:1:2',2,'evaluate','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":null,"error":{"$":"rag.errors:ModelRejectedError","of":[[{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","wrong key"]]}}}],{"$":"dict","of":[["reason",{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","wrong key"]]}}}]]}]}}},"before":{"$":"dict","of":[]}}}',NULL,NULL,1795824423901,1795824423906,'thinktwice_1','thinktwice',1795824423000);
INSERT INTO "operation_outputs" VALUES('tg:1:2',3,'answer','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"rag.values.answers:Answer","as":"3137d609","of":{"question":"Which Java does FxStore need?","text":"FxStore needs Java 17 [1].","label":"verified","language":"en","verdict":{"$":"rag.values.verdicts:Verdict","as":"776ef36a","of":{"quality":"adequate","reason":{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","fine"]]}}},"confidence":{"$":"float","of":"0.75"},"source":"rules"}},"passages":{"$":"tuple","of":[{"$":"rag.values.passages:Passage","as":"077398f9","of":{"id":"1","document":"java.md","section":"FxStore","text":"FxStore needs Java 17.","score":{"$":"float","of":"0.0"},"source":"","lead":0,"lead_section":"","url":"","anchors":{"$":"tuple","of":[]}}}]},"citations":{"$":"tuple","of":[]},"used_documents":true,"retries":1,"usage":{"$":"rag.values.usage:Usage","as":"30a31091","of":{"calls":2,"input_tokens":240,"output_tokens":34,"seconds":{"$":"float","of":"0.0"},"cost":{"$":"float","of":"0.0"},"unpriced_calls":0,"by_role":{"$":"dict","of":[["draft",{"$":"rag.values.usage:Usage","as":"30a31091","of":{"calls":2,"input_tokens":240,"output_tokens":34,"seconds":{"$":"float","of":"0.0"},"cost":{"$":"float","of":"0.0"},"unpriced_calls":0,"by_role":{"$":"dict","of":[]},"by_seat":{"$":"dict","of":[]}}}]]},"by_seat":{"$":"dict","of":[]}}},"seconds":{"$":"float","of":"1.5"},"trace":{"$":"tuple","of":[{"$":"rag.values.answers:StepTrace","as":"ad0c9aca","of":{"step":"draft","milliseconds":{"$":"float","of":"12.5"},"detail":{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"step-failed","values":{"$":"dict","of":[["reason",{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","no"]]}}}]]}}},"tokens":137,"model":"","prompt":"","notes":{"$":"tuple","of":[]}}}]},"failure":null,"mode":"balanced","savings":{"$":"rag.values.usage:Savings","as":"7e11a85a","of":{"calls":0,"tokens":0,"by_layer":{"$":"dict","of":[]}}},"score":null,"unrefined":"","standalone":"","council":null,"documents":null}},"error":null}},"before":{"$":"dict","of":[["probe",{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"frozenset","of":["java.md"]},"error":null}}]]}}}',NULL,NULL,1795824423939,1795824423959,'thinktwice_1','thinktwice',1795824423000);
INSERT INTO "operation_outputs" VALUES('tg:1:2',4,'send 1','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":7,"error":null}},"before":{"$":"dict","of":[]}}}',NULL,NULL,1795824424846,1795824424874,'thinktwice_1','thinktwice',1795824424000);
INSERT INTO "operation_outputs" VALUES('told',1,'say','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"datetime","of":"2026-11-28T00:00:00+00:00"},"error":null}},"before":{"$":"dict","of":[]}}}',NULL,NULL,1795824425170,1795824425180,'thinktwice_1','thinktwice',1795824425000);
INSERT INTO "operation_outputs" VALUES('tg:1:3',1,'draft','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"rag.runs.work:Outcome","as":"963f116b","of":{"value":"Java 8.","detail":{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"step-failed","values":{"$":"dict","of":[["reason","none"]]}}},"calls":{"$":"tuple","of":[{"$":"rag.values.usage:ModelCall","as":"dc30ef6e","of":{"role":"draft","model":"a-model","input_tokens":120,"output_tokens":17,"seconds":{"$":"float","of":"0.25"},"calls":1,"is_partial":false,"seat":"","purpose":"","cut":null}}]},"prompt":"","notes":{"$":"tuple","of":[]}}},"error":null}},"before":{"$":"dict","of":[["recall",{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"tuple","of":[{"$":"rag.values.questions:Turn","as":"67622aa5","of":{"role":"user","text":"hello","author":"","passages":{"$":"tuple","of":[]},"label":null}},null,{"$":"float","of":"1.0"}]},"error":null}}]]}}}',NULL,NULL,1795824425997,1795824426009,'thinktwice_1','thinktwice',1795824426000);
INSERT INTO "operation_outputs" VALUES('tg:1:3',2,'evaluate','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":null,"error":{"$":"rag.errors:ModelRejectedError","of":[[{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","wrong key"]]}}}],{"$":"dict","of":[["reason",{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","wrong key"]]}}}]]}]}}},"before":{"$":"dict","of":[]}}}',NULL,NULL,1795824426033,1795824426052,'thinktwice_1','thinktwice',1795824426000);
INSERT INTO "operation_outputs" VALUES('tg:1:3',3,'answer','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"rag.values.answers:Answer","as":"3137d609","of":{"question":"Which Java does FxStore need?","text":"FxStore needs Java 17 [1].","label":"verified","language":"en","verdict":{"$":"rag.values.verdicts:Verdict","as":"776ef36a","of":{"quality":"adequate","reason":{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","fine"]]}}},"confidence":{"$":"float","of":"0.75"},"source":"rules"}},"passages":{"$":"tuple","of":[{"$":"rag.values.passages:Passage","as":"077398f9","of":{"id":"1","document":"java.md","section":"FxStore","text":"FxStore needs Java 17.","score":{"$":"float","of":"0.0"},"source":"","lead":0,"lead_section":"","url":"","anchors":{"$":"tuple","of":[]}}}]},"citations":{"$":"tuple","of":[]},"used_documents":true,"retries":1,"usage":{"$":"rag.values.usage:Usage","as":"30a31091","of":{"calls":2,"input_tokens":240,"output_tokens":34,"seconds":{"$":"float","of":"0.0"},"cost":{"$":"float","of":"0.0"},"unpriced_calls":0,"by_role":{"$":"dict","of":[["draft",{"$":"rag.values.usage:Usage","as":"30a31091","of":{"calls":2,"input_tokens":240,"output_tokens":34,"seconds":{"$":"float","of":"0.0"},"cost":{"$":"float","of":"0.0"},"unpriced_calls":0,"by_role":{"$":"dict","of":[]},"by_seat":{"$":"dict","of":[]}}}]]},"by_seat":{"$":"dict","of":[]}}},"seconds":{"$":"float","of":"1.5"},"trace":{"$":"tuple","of":[{"$":"rag.values.answers:StepTrace","as":"ad0c9aca","of":{"step":"draft","milliseconds":{"$":"float","of":"12.5"},"detail":{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"step-failed","values":{"$":"dict","of":[["reason",{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","no"]]}}}]]}}},"tokens":137,"model":"","prompt":"","notes":{"$":"tuple","of":[]}}}]},"failure":null,"mode":"balanced","savings":{"$":"rag.values.usage:Savings","as":"7e11a85a","of":{"calls":0,"tokens":0,"by_layer":{"$":"dict","of":[]}}},"score":null,"unrefined":"","standalone":"","council":null,"documents":null}},"error":null}},"before":{"$":"dict","of":[["probe",{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"frozenset","of":["java.md"]},"error":null}}]]}}}',NULL,NULL,1795824426101,1795824426109,'thinktwice_1','thinktwice',1795824426000);
INSERT INTO "operation_outputs" VALUES('cancelled',1,'say','{"$":"bot.jobs.step_log:Record","as":"cc390073","of":{"own":{"$":"bot.jobs.step_log:Outcome","as":"e41819da","of":{"value":{"$":"datetime","of":"2026-11-28T00:00:00+00:00"},"error":null}},"before":{"$":"dict","of":[]}}}',NULL,NULL,1795824426145,1795824426158,'thinktwice_1','thinktwice',1795824426000);
CREATE TABLE queues (
    queue_id TEXT PRIMARY KEY DEFAULT (hex(randomblob(16))),
    name TEXT NOT NULL UNIQUE,
    concurrency INTEGER,
    worker_concurrency INTEGER,
    rate_limit_max INTEGER,
    rate_limit_period_sec REAL,
    priority_enabled BOOLEAN NOT NULL DEFAULT FALSE,
    partition_queue BOOLEAN NOT NULL DEFAULT FALSE,
    polling_interval_sec REAL NOT NULL DEFAULT 1.0,
    created_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    updated_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
, "application_name" TEXT DEFAULT NULL, "partition_concurrency" INTEGER DEFAULT NULL, "partition_worker_concurrency" INTEGER DEFAULT NULL, "partition_rate_limit_max" INTEGER DEFAULT NULL, "partition_rate_limit_period_sec" REAL DEFAULT NULL);
INSERT INTO "queues" VALUES('D53C563B9CE5DD56BE9D244DCABE882E','lanes',NULL,200,NULL,NULL,1,1,0.2,1795824422000,1795824450117,'thinktwice',1,NULL,NULL,NULL);
CREATE TABLE streams (
    workflow_uuid TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    "offset" INTEGER NOT NULL, function_id INTEGER NOT NULL DEFAULT 0, "serialization" TEXT DEFAULT NULL,
    PRIMARY KEY (workflow_uuid, key, "offset"),
    FOREIGN KEY (workflow_uuid) REFERENCES workflow_status(workflow_uuid) 
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE workflow_events (
    workflow_uuid TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL, "serialization" TEXT DEFAULT NULL,
    PRIMARY KEY (workflow_uuid, key),
    FOREIGN KEY (workflow_uuid) REFERENCES workflow_status(workflow_uuid) 
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE workflow_events_history (
    workflow_uuid TEXT NOT NULL,
    function_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL, "serialization" TEXT DEFAULT NULL,
    PRIMARY KEY (workflow_uuid, function_id, key),
    FOREIGN KEY (workflow_uuid) REFERENCES workflow_status(workflow_uuid)
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE workflow_input (
    workflow_uuid TEXT NOT NULL PRIMARY KEY,
    inputs TEXT,
    retention_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
);
INSERT INTO "workflow_input" VALUES('tg:1:2','{"$":"dict","of":[["args",{"$":"tuple","of":["ask","over","telegram:41:0",2]}],["kwargs",{"$":"dict","of":[]}]]}',1795824422000);
INSERT INTO "workflow_input" VALUES('tg:1:3','{"$":"dict","of":[["args",{"$":"tuple","of":["ask","begun","telegram:41:0",3]}],["kwargs",{"$":"dict","of":[]}]]}',1795824425000);
INSERT INTO "workflow_input" VALUES('tg:1:10','{"$":"dict","of":[["args",{"$":"tuple","of":["ask","third","telegram:41:0",10]}],["kwargs",{"$":"dict","of":[]}]]}',1795824425000);
INSERT INTO "workflow_input" VALUES('tg:1:9','{"$":"dict","of":[["args",{"$":"tuple","of":["ask","second","telegram:41:0",9]}],["kwargs",{"$":"dict","of":[]}]]}',1795824425000);
INSERT INTO "workflow_input" VALUES('told','{"$":"dict","of":[["args",{"$":"tuple","of":["told","at once","",1]}],["kwargs",{"$":"dict","of":[]}]]}',1795824425000);
INSERT INTO "workflow_input" VALUES('broken','{"$":"dict","of":[["args",{"$":"tuple","of":["broken","b","",1]}],["kwargs",{"$":"dict","of":[]}]]}',1795824425000);
INSERT INTO "workflow_input" VALUES('broken:failed','{"$":"dict","of":[["args",{"$":"tuple","of":["failed","{\"id\": \"broken\", \"kind\": \"broken\", \"payload\": \"b\", \"reason\": {\"code\": \"as-written\", \"values\": {\"text\": \"ZeroDivisionError\"}}}","",1]}],["kwargs",{"$":"dict","of":[]}]]}',1795824425000);
INSERT INTO "workflow_input" VALUES('cancelled','{"$":"dict","of":[["args",{"$":"tuple","of":["told","c","",1]}],["kwargs",{"$":"dict","of":[]}]]}',1795824426000);
CREATE TABLE workflow_output (
    workflow_uuid TEXT NOT NULL PRIMARY KEY,
    output TEXT,
    error TEXT,
    retention_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
);
INSERT INTO "workflow_output" VALUES('tg:1:2','null',NULL,1795824424000);
INSERT INTO "workflow_output" VALUES('broken',NULL,'{"$":"bot.jobs.runner:JobFailedError","of":[[{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","ZeroDivisionError"]]}}}],{"$":"dict","of":[["reason",{"$":"rag.reasons:Reason","as":"96d2845b","of":{"code":"as-written","values":{"$":"dict","of":[["text","ZeroDivisionError"]]}}}]]}]}',1795824426000);
INSERT INTO "workflow_output" VALUES('broken:failed','null',NULL,1795824426000);
CREATE TABLE workflow_schedules (
    schedule_id TEXT PRIMARY KEY,
    schedule_name TEXT NOT NULL UNIQUE,
    workflow_name TEXT NOT NULL,
    workflow_class_name TEXT,
    schedule TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'ACTIVE',
    context TEXT NOT NULL
, "last_fired_at" TEXT DEFAULT NULL, "automatic_backfill" BOOLEAN NOT NULL DEFAULT FALSE, "cron_timezone" TEXT DEFAULT NULL, "queue_name" TEXT DEFAULT NULL, "application_name" TEXT DEFAULT NULL);
CREATE TABLE workflow_status (
    workflow_uuid TEXT PRIMARY KEY,
    status TEXT,
    name TEXT,
    authenticated_user TEXT,
    assumed_role TEXT,
    authenticated_roles TEXT,
    request TEXT,
    output TEXT,
    error TEXT,
    executor_id TEXT,
    created_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    updated_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    application_version TEXT,
    application_id TEXT,
    class_name TEXT DEFAULT NULL,
    config_name TEXT DEFAULT NULL,
    recovery_attempts INTEGER DEFAULT 0,
    queue_name TEXT,
    workflow_timeout_ms INTEGER,
    workflow_deadline_epoch_ms INTEGER,
    inputs TEXT,
    started_at_epoch_ms INTEGER,
    deduplication_id TEXT,
    priority INTEGER NOT NULL DEFAULT 0
, queue_partition_key TEXT, forked_from TEXT, "owner_xid" TEXT DEFAULT NULL, "parent_workflow_id" TEXT DEFAULT NULL, "serialization" TEXT DEFAULT NULL, "delay_until_epoch_ms" BIGINT DEFAULT NULL, "was_forked_from" BOOLEAN NOT NULL DEFAULT FALSE, "rate_limited" BOOLEAN NOT NULL DEFAULT FALSE, "completed_at" BIGINT, "attributes" TEXT, "schedule_name" TEXT, "debounce_deadline_epoch_ms" BIGINT DEFAULT NULL, "is_debounced" BOOLEAN NOT NULL DEFAULT FALSE, "application_name" TEXT DEFAULT NULL, "creator_xid" TEXT DEFAULT NULL);
INSERT INTO "workflow_status" VALUES('tg:1:2','SUCCESS','job','telegram:41',NULL,NULL,NULL,NULL,NULL,'main',1795824422000,1795824424000,'1','',NULL,NULL,1,'lanes',NULL,NULL,NULL,1795824423000,NULL,2,'telegram:41:0',NULL,NULL,NULL,'thinktwice_1',NULL,0,0,1795824424000,'null',NULL,NULL,0,'thinktwice','04b585ba-48ff-4bc2-a040-9cdb080dd32a');
INSERT INTO "workflow_status" VALUES('tg:1:3','PENDING','job','telegram:41',NULL,NULL,NULL,NULL,NULL,'main',1795824425000,1795824450000,'1','',NULL,NULL,2,'lanes',NULL,NULL,NULL,1795824450000,NULL,3,'telegram:41:0',NULL,'e976ed5c-8899-4c93-b473-84be972c2950',NULL,'thinktwice_1',NULL,0,0,NULL,'{"attempts":{"crashes":1,"steps":3,"has_begun":false,"is_handed_over":false}}',NULL,NULL,0,'thinktwice','e2607726-95d0-4322-93b9-707e70e755d3');
INSERT INTO "workflow_status" VALUES('tg:1:10','ENQUEUED','job','telegram:41',NULL,NULL,NULL,NULL,NULL,'main',1795824425000,1795824425000,'1','',NULL,NULL,0,'lanes',NULL,NULL,NULL,NULL,NULL,10,'telegram:41:0',NULL,NULL,NULL,'thinktwice_1',NULL,0,0,NULL,'null',NULL,NULL,0,'thinktwice','471df1bd-2d0c-45f1-95db-897c4c3e24bb');
INSERT INTO "workflow_status" VALUES('tg:1:9','ENQUEUED','job','telegram:41',NULL,NULL,NULL,NULL,NULL,'main',1795824425000,1795824425000,'1','',NULL,NULL,0,'lanes',NULL,NULL,NULL,NULL,NULL,9,'telegram:41:0',NULL,NULL,NULL,'thinktwice_1',NULL,0,0,NULL,'null',NULL,NULL,0,'thinktwice','6130753c-cc6f-4938-98d0-c3f2d59aa4b4');
INSERT INTO "workflow_status" VALUES('told','PENDING','job','telegram:43',NULL,NULL,NULL,NULL,NULL,'main',1795824425000,1795824451000,'1','',NULL,NULL,2,'_dbos_internal_queue',NULL,NULL,NULL,1795824451000,NULL,0,NULL,NULL,'f36b08d5-44c9-4036-b7ad-ce079e53d916',NULL,'thinktwice_1',NULL,0,0,NULL,'{"attempts":{"crashes":1,"steps":1,"has_begun":false,"is_handed_over":false}}',NULL,NULL,0,'thinktwice','84db6a6b-b3c7-49e8-a783-b66143da004d');
INSERT INTO "workflow_status" VALUES('broken','ERROR','job',NULL,NULL,NULL,NULL,NULL,NULL,'main',1795824425000,1795824426000,'1','',NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,'thinktwice_1',NULL,0,0,1795824426000,'null',NULL,NULL,0,'thinktwice','c60df50f-18b5-4c5b-8d07-26a91756c843');
INSERT INTO "workflow_status" VALUES('broken:failed','SUCCESS','job',NULL,NULL,NULL,NULL,NULL,NULL,'main',1795824425000,1795824426000,'1','',NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,'thinktwice_1',NULL,0,0,1795824426000,'null',NULL,NULL,0,'thinktwice','b4744ef4-baad-49b8-b257-5b56031e3f17');
INSERT INTO "workflow_status" VALUES('cancelled','CANCELLED','job',NULL,NULL,NULL,NULL,NULL,NULL,'main',1795824426000,1795824426000,'1','',NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,'thinktwice_1',NULL,0,0,1795824426000,'null',NULL,NULL,0,'thinktwice','2ab572c0-b9c0-4802-9f4b-c231f4862957');
CREATE INDEX workflow_status_created_at_index ON workflow_status (created_at);
CREATE INDEX idx_workflow_topic ON notifications (destination_uuid, topic);
CREATE INDEX "idx_workflow_status_delayed" ON "workflow_status" ("delay_until_epoch_ms") WHERE status = 'DELAYED';
CREATE INDEX "idx_workflow_status_forked_from" ON "workflow_status" ("forked_from") WHERE "forked_from" IS NOT NULL;
CREATE INDEX "idx_workflow_status_parent_workflow_id" ON "workflow_status" ("parent_workflow_id") WHERE "parent_workflow_id" IS NOT NULL;
CREATE UNIQUE INDEX "uq_workflow_status_dedup_id" ON "workflow_status" ("queue_name", "deduplication_id") WHERE "deduplication_id" IS NOT NULL;
CREATE INDEX "idx_workflow_status_pending" ON "workflow_status" ("created_at") WHERE "status" = 'PENDING';
CREATE INDEX "idx_workflow_status_failed" ON "workflow_status" ("status", "created_at") WHERE "status" IN ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED');
CREATE INDEX "idx_workflow_status_rate_limited" ON "workflow_status" ("queue_name", "started_at_epoch_ms") WHERE "rate_limited" = TRUE;
CREATE INDEX "idx_workflow_status_completed_at" ON "workflow_status" ("completed_at") WHERE "completed_at" IS NOT NULL;
CREATE INDEX "idx_workflow_status_started_at" ON "workflow_status" ("started_at_epoch_ms") WHERE "started_at_epoch_ms" IS NOT NULL;
CREATE INDEX "idx_workflow_status_schedule_name" ON "workflow_status" ("schedule_name") WHERE "schedule_name" IS NOT NULL;
CREATE UNIQUE INDEX "uq_application_versions_owner_version"
    ON application_versions ("application_name", "version_name")
    WHERE "application_name" IS NOT NULL;
CREATE UNIQUE INDEX "uq_application_versions_unclaimed_version"
    ON application_versions ("version_name")
    WHERE "application_name" IS NULL;
CREATE INDEX idx_workflow_input_retention
    ON workflow_input (retention_timestamp);
CREATE INDEX idx_workflow_output_retention
    ON workflow_output (retention_timestamp);
CREATE INDEX idx_operation_outputs_retention
    ON operation_outputs (retention_timestamp);
CREATE INDEX "idx_workflow_status_in_flight_v2" ON "workflow_status" ("queue_name", "status", "priority", "created_at", "application_name") WHERE "status" IN ('ENQUEUED', 'PENDING');
CREATE INDEX "idx_workflow_status_partition_dequeue_v3" ON "workflow_status" ("queue_name", "status", "queue_partition_key", "priority", "created_at", "workflow_uuid", "application_name") WHERE "status" IN ('ENQUEUED', 'PENDING') AND "queue_partition_key" IS NOT NULL;
CREATE INDEX "idx_operation_outputs_completed_at_function_name_v2" ON "operation_outputs" ("completed_at_epoch_ms", "function_name", "application_name");
CREATE INDEX "idx_workflow_status_deadline" ON "workflow_status" ("workflow_deadline_epoch_ms") WHERE "status" IN ('ENQUEUED', 'PENDING', 'DELAYED') AND "workflow_deadline_epoch_ms" IS NOT NULL;
CREATE INDEX "idx_application_versions_timestamp" ON "application_versions" ("version_timestamp" DESC);
CREATE INDEX "idx_application_versions_owner_timestamp" ON "application_versions" ("application_name", "version_timestamp" DESC);
COMMIT;
