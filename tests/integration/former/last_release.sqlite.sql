BEGIN TRANSACTION;
CREATE TABLE "access_request_messages" (
	user_id VARCHAR(100) NOT NULL, 
	admin_id VARCHAR(100) NOT NULL, 
	message_id BIGINT NOT NULL, 
	CONSTRAINT pk_access_request_messages PRIMARY KEY (user_id, admin_id), 
	CONSTRAINT fk_access_request_messages_user_id FOREIGN KEY(user_id) REFERENCES access_requests (user_id) ON DELETE CASCADE
);
CREATE TABLE "access_requests" (
	user_id VARCHAR(100) NOT NULL, 
	asked_by VARCHAR(200) NOT NULL, 
	asked_at DATETIME NOT NULL, 
	outcome VARCHAR(20), 
	decided_by VARCHAR(100), 
	decided_in VARCHAR(200), 
	CONSTRAINT pk_access_requests PRIMARY KEY (user_id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0019');
CREATE TABLE answered (
	id VARCHAR(200) NOT NULL, 
	asked_at DATETIME NOT NULL, 
	channel VARCHAR(20) NOT NULL, 
	language VARCHAR(20) NOT NULL, 
	mode VARCHAR(20) NOT NULL, 
	label VARCHAR(40) NOT NULL, 
	quality VARCHAR(40) NOT NULL, 
	source VARCHAR(20) NOT NULL, 
	confidence FLOAT NOT NULL, 
	used_documents BOOLEAN NOT NULL, 
	retries INTEGER NOT NULL, 
	calls INTEGER NOT NULL, 
	input_tokens INTEGER NOT NULL, 
	output_tokens INTEGER NOT NULL, 
	model_seconds FLOAT NOT NULL, 
	cost FLOAT NOT NULL, 
	unpriced_calls INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, 
	saved_calls INTEGER NOT NULL, 
	saved_tokens INTEGER NOT NULL, 
	score FLOAT, 
	feedback VARCHAR(20), 
	feedback_at DATETIME, 
	CONSTRAINT pk_answered PRIMARY KEY (id)
);
CREATE TABLE "arrivals" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	"key" VARCHAR(100) NOT NULL, 
	chat_id VARCHAR(100) NOT NULL, 
	user_id VARCHAR(100) NOT NULL, 
	arrived_at DATETIME NOT NULL, 
	is_refused BOOLEAN NOT NULL, 
	is_command BOOLEAN DEFAULT 0 NOT NULL, 
	is_council BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT uq_arrivals_key UNIQUE ("key")
);
CREATE TABLE "ask_messages" (
	chat_id VARCHAR(100) NOT NULL, 
	message_id BIGINT NOT NULL, 
	ask_id INTEGER NOT NULL, 
	CONSTRAINT pk_ask_messages PRIMARY KEY (chat_id, message_id), 
	CONSTRAINT fk_ask_messages_ask_id FOREIGN KEY(ask_id) REFERENCES asks (id) ON DELETE CASCADE
);
CREATE TABLE asked (
	answered_id VARCHAR(200) NOT NULL, 
	conversation_id VARCHAR(200) NOT NULL, 
	user_key VARCHAR(200) NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_asked PRIMARY KEY (answered_id), 
	CONSTRAINT fk_asked_answered_id FOREIGN KEY(answered_id) REFERENCES answered (id) ON DELETE CASCADE, 
	CONSTRAINT fk_asked_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE TABLE "asks" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	workflow_id VARCHAR(100) NOT NULL, 
	chat_id VARCHAR(100) NOT NULL, 
	thread_id BIGINT NOT NULL, 
	message_id BIGINT, 
	user_id VARCHAR(100) NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	placeholder_id BIGINT, 
	answered_id VARCHAR(200), 
	asked_at DATETIME NOT NULL, 
	CONSTRAINT uq_asks_workflow_id UNIQUE (workflow_id), 
	CONSTRAINT uq_asks_chat_id_message_id UNIQUE (chat_id, message_id)
);
CREATE TABLE bots (
	id BIGINT NOT NULL, 
	username TEXT NOT NULL, 
	CONSTRAINT pk_bots PRIMARY KEY (id)
);
CREATE TABLE "chat_documents" (
	chat_id VARCHAR(100) NOT NULL, 
	set_name VARCHAR(100) NOT NULL, 
	CONSTRAINT pk_chat_documents PRIMARY KEY (chat_id), 
	CONSTRAINT fk_chat_documents_set_name FOREIGN KEY(set_name) REFERENCES document_sets (name)
);
CREATE TABLE "chats" (
	id VARCHAR(100) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	title TEXT NOT NULL, 
	is_active BOOLEAN NOT NULL, 
	access VARCHAR(20), 
	mode VARCHAR(20), 
	migrated_to VARCHAR(100), 
	created_at DATETIME NOT NULL, 
	council VARCHAR(20), 
	model TEXT, 
	CONSTRAINT pk_chats PRIMARY KEY (id)
);
CREATE TABLE compatibility (
	oldest VARCHAR(20) NOT NULL, 
	CONSTRAINT pk_compatibility PRIMARY KEY (oldest)
);
INSERT INTO "compatibility" VALUES('0019');
CREATE TABLE "confirmations" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	user_id VARCHAR(100) NOT NULL, 
	chat_id VARCHAR(100) NOT NULL, 
	command TEXT NOT NULL, 
	expires_at DATETIME NOT NULL, 
	taken_by VARCHAR(100)
);
CREATE TABLE conversations (
	id VARCHAR(200) NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_conversations PRIMARY KEY (id)
);
INSERT INTO "conversations" VALUES('a','2026-11-26 18:00:00');
CREATE TABLE document_sets (
	name VARCHAR(100) NOT NULL, 
	patterns TEXT NOT NULL, 
	CONSTRAINT pk_document_sets PRIMARY KEY (name)
);
CREATE TABLE interview_days (
	owner VARCHAR(200) NOT NULL, 
	day DATE NOT NULL, 
	sessions INTEGER NOT NULL, 
	tokens INTEGER NOT NULL, 
	CONSTRAINT pk_interview_days PRIMARY KEY (owner, day)
);
CREATE TABLE interview_events (
	session_id VARCHAR(36) NOT NULL, 
	seq INTEGER NOT NULL, 
	"key" VARCHAR(200) NOT NULL, 
	event TEXT NOT NULL, 
	tokens INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_interview_events PRIMARY KEY (session_id, seq), 
	CONSTRAINT uq_interview_events_session_id_key UNIQUE (session_id, "key"), 
	CONSTRAINT fk_interview_events_session_id FOREIGN KEY(session_id) REFERENCES interview_sessions (id) ON DELETE CASCADE
);
CREATE TABLE interview_sessions (
	id VARCHAR(36) NOT NULL, 
	owner VARCHAR(200) NOT NULL, 
	conversation_id VARCHAR(200) NOT NULL, 
	pack VARCHAR(100) NOT NULL, 
	created_at DATETIME NOT NULL, 
	touched_at DATETIME NOT NULL, 
	closed_at DATETIME, 
	summary_message_id BIGINT, 
	CONSTRAINT pk_interview_sessions PRIMARY KEY (id)
);
CREATE TABLE leases (
	name VARCHAR(50) NOT NULL, 
	holder VARCHAR(100) NOT NULL, 
	until_ms BIGINT NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (name)
);
CREATE TABLE "logins" (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	hash VARCHAR(64) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	user_id VARCHAR(100) NOT NULL, 
	name TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME, 
	CONSTRAINT uq_logins_hash UNIQUE (hash)
);
CREATE TABLE machines (
	id VARCHAR(100) NOT NULL, 
	version VARCHAR(40) NOT NULL, 
	started_ms BIGINT NOT NULL, 
	seen_ms BIGINT NOT NULL, 
	at_work INTEGER NOT NULL, report TEXT, 
	CONSTRAINT pk_machines PRIMARY KEY (id)
);
CREATE TABLE messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	conversation_id VARCHAR(200) NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	author TEXT NOT NULL, 
	text TEXT NOT NULL, 
	label VARCHAR(40), 
	language VARCHAR(20), 
	answer TEXT, 
	created_at DATETIME NOT NULL, user_key VARCHAR(100), exchange VARCHAR(100), 
	CONSTRAINT fk_messages_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
);
INSERT INTO "messages" VALUES(5,'a','user','Ann','old words',NULL,NULL,NULL,'2026-11-26 18:00:00','telegram:41',NULL);
CREATE TABLE "notices" (
	kind VARCHAR(50) NOT NULL, 
	chat_id VARCHAR(100) NOT NULL, 
	user_id VARCHAR(100) NOT NULL, 
	said_by VARCHAR(100) NOT NULL, 
	said_at DATETIME NOT NULL, 
	ends_at DATETIME NOT NULL, 
	CONSTRAINT pk_notices PRIMARY KEY (kind, chat_id, user_id)
);
CREATE TABLE run_events (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	run_id VARCHAR(100) NOT NULL, 
	"key" VARCHAR(200) NOT NULL, 
	type VARCHAR(60) NOT NULL, 
	json TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT fk_run_events_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_run_events_run_id_key UNIQUE (run_id, "key")
);
INSERT INTO "run_events" VALUES(7,'web:1:x','end','complete','{}','2026-11-26 18:00:00');
CREATE TABLE runs (
	id VARCHAR(100) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	person VARCHAR(200) NOT NULL, 
	conversation_id VARCHAR(200) NOT NULL, 
	state VARCHAR(20) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES('web:1:x','answer','telegram:41','a','complete','2026-11-26 18:00:00');
CREATE TABLE saved (
	answered_id VARCHAR(200) NOT NULL, 
	layer VARCHAR(20) NOT NULL, 
	calls INTEGER NOT NULL, 
	tokens INTEGER NOT NULL, 
	CONSTRAINT pk_saved PRIMARY KEY (answered_id, layer), 
	CONSTRAINT fk_saved_answered_id FOREIGN KEY(answered_id) REFERENCES answered (id) ON DELETE CASCADE
);
CREATE TABLE "sent_messages" (
	chat_id VARCHAR(100) NOT NULL, 
	message_id BIGINT NOT NULL, 
	"key" VARCHAR(200), 
	sent_at DATETIME NOT NULL, 
	CONSTRAINT pk_sent_messages PRIMARY KEY (chat_id, message_id), 
	CONSTRAINT uq_sent_messages_key UNIQUE ("key")
);
CREATE TABLE spending (
	id INTEGER NOT NULL, 
	answered_id VARCHAR(200), 
	spent_at DATETIME NOT NULL, 
	purpose VARCHAR(40) NOT NULL, 
	role VARCHAR(40) NOT NULL, 
	calls INTEGER NOT NULL, 
	input_tokens INTEGER NOT NULL, 
	output_tokens INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, 
	cost FLOAT NOT NULL, 
	unpriced_calls INTEGER NOT NULL, 
	CONSTRAINT pk_spending PRIMARY KEY (id), 
	CONSTRAINT fk_spending_answered_id FOREIGN KEY(answered_id) REFERENCES answered (id) ON DELETE CASCADE
);
CREATE TABLE "spent" (
	day VARCHAR(10) NOT NULL, 
	chat_id VARCHAR(100) NOT NULL, 
	user_id VARCHAR(100) NOT NULL, 
	tokens BIGINT NOT NULL, 
	CONSTRAINT pk_spent PRIMARY KEY (day, chat_id, user_id)
);
CREATE TABLE summaries (
	conversation_id VARCHAR(200) NOT NULL, 
	text TEXT NOT NULL, 
	up_to INTEGER NOT NULL, 
	CONSTRAINT pk_summaries PRIMARY KEY (conversation_id), 
	CONSTRAINT fk_summaries_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE, 
	CONSTRAINT fk_summaries_up_to FOREIGN KEY(up_to) REFERENCES messages (id) ON DELETE CASCADE
);
INSERT INTO "summaries" VALUES('a','old summary',5);
CREATE TABLE "users" (
	id VARCHAR(100) NOT NULL, 
	name TEXT NOT NULL, 
	language VARCHAR(20), 
	role VARCHAR(20), 
	access VARCHAR(20), 
	created_at DATETIME NOT NULL, 
	client_language VARCHAR(20), 
	CONSTRAINT pk_users PRIMARY KEY (id)
);
CREATE INDEX ix_messages_conversation_id_id ON messages (conversation_id, id);
CREATE INDEX ix_answered_asked_at ON answered (asked_at);
CREATE INDEX ix_asked_conversation_id ON asked (conversation_id);
CREATE INDEX ix_asked_user_key ON asked (user_key);
CREATE INDEX ix_spending_answered_id ON spending (answered_id);
CREATE INDEX ix_spending_spent_at ON spending (spent_at);
CREATE INDEX ix_messages_user_key ON messages (user_key);
CREATE UNIQUE INDEX ix_messages_exchange_role ON messages (exchange, role);
CREATE INDEX ix_runs_person_at ON runs (person, at);
CREATE INDEX ix_runs_at ON runs (at);
CREATE INDEX ix_runs_conversation_id ON runs (conversation_id);
CREATE INDEX ix_interview_sessions_owner_conversation_id ON interview_sessions (owner, conversation_id);
CREATE INDEX ix_asks_user_id ON asks (user_id);
CREATE INDEX ix_asks_chat_id_thread_id_state ON asks (chat_id, thread_id, state);
CREATE INDEX ix_ask_messages_ask_id ON ask_messages (ask_id);
CREATE INDEX ix_sent_messages_sent_at ON sent_messages (sent_at);
CREATE INDEX ix_arrivals_user_id_arrived_at ON arrivals (user_id, arrived_at);
CREATE INDEX ix_arrivals_chat_id_arrived_at ON arrivals (chat_id, arrived_at);
CREATE INDEX ix_logins_user_id ON logins (user_id);
CREATE INDEX ix_access_requests_asked_at ON access_requests (asked_at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('asks',0);
INSERT INTO "sqlite_sequence" VALUES('arrivals',0);
INSERT INTO "sqlite_sequence" VALUES('confirmations',0);
INSERT INTO "sqlite_sequence" VALUES('logins',0);
INSERT INTO "sqlite_sequence" VALUES('messages',5);
INSERT INTO "sqlite_sequence" VALUES('run_events',7);
COMMIT;
