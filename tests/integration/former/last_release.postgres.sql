CREATE TABLE public.access_request_messages (
    user_id character varying(100) NOT NULL,
    admin_id character varying(100) NOT NULL,
    message_id bigint NOT NULL
);
CREATE TABLE public.access_requests (
    user_id character varying(100) NOT NULL,
    asked_by character varying(200) NOT NULL,
    asked_at timestamp without time zone NOT NULL,
    outcome character varying(20),
    decided_by character varying(100),
    decided_in character varying(200)
);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.answered (
    id character varying(200) NOT NULL,
    asked_at timestamp without time zone NOT NULL,
    channel character varying(20) NOT NULL,
    language character varying(20) NOT NULL,
    mode character varying(20) NOT NULL,
    label character varying(40) NOT NULL,
    quality character varying(40) NOT NULL,
    source character varying(20) NOT NULL,
    confidence double precision NOT NULL,
    used_documents boolean NOT NULL,
    retries integer NOT NULL,
    calls integer NOT NULL,
    input_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    model_seconds double precision NOT NULL,
    cost double precision NOT NULL,
    unpriced_calls integer NOT NULL,
    seconds double precision NOT NULL,
    saved_calls integer NOT NULL,
    saved_tokens integer NOT NULL,
    score double precision,
    feedback character varying(20),
    feedback_at timestamp without time zone
);
CREATE TABLE public.arrivals (
    id integer NOT NULL,
    key character varying(100) NOT NULL,
    chat_id character varying(100) NOT NULL,
    user_id character varying(100) NOT NULL,
    arrived_at timestamp without time zone NOT NULL,
    is_refused boolean NOT NULL,
    is_command boolean DEFAULT false NOT NULL,
    is_council boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.arrivals_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.arrivals_id_seq OWNED BY public.arrivals.id;
CREATE TABLE public.ask_messages (
    chat_id character varying(100) NOT NULL,
    message_id bigint NOT NULL,
    ask_id integer NOT NULL
);
CREATE TABLE public.asked (
    answered_id character varying(200) NOT NULL,
    conversation_id character varying(200) NOT NULL,
    user_key character varying(200) NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.asks (
    id integer NOT NULL,
    workflow_id character varying(100) NOT NULL,
    chat_id character varying(100) NOT NULL,
    thread_id bigint NOT NULL,
    message_id bigint,
    user_id character varying(100) NOT NULL,
    state character varying(20) NOT NULL,
    fingerprint character varying(64) NOT NULL,
    placeholder_id bigint,
    answered_id character varying(200),
    asked_at timestamp without time zone NOT NULL
);
CREATE SEQUENCE public.asks_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.asks_id_seq OWNED BY public.asks.id;
CREATE TABLE public.bots (
    id bigint NOT NULL,
    username text NOT NULL
);
CREATE TABLE public.chat_documents (
    chat_id character varying(100) NOT NULL,
    set_name character varying(100) NOT NULL
);
CREATE TABLE public.chats (
    id character varying(100) NOT NULL,
    kind character varying(20) NOT NULL,
    title text NOT NULL,
    is_active boolean NOT NULL,
    access character varying(20),
    mode character varying(20),
    migrated_to character varying(100),
    created_at timestamp without time zone NOT NULL,
    council character varying(20),
    model text
);
CREATE TABLE public.compatibility (
    oldest character varying(20) NOT NULL
);
CREATE TABLE public.confirmations (
    id integer NOT NULL,
    user_id character varying(100) NOT NULL,
    chat_id character varying(100) NOT NULL,
    command text NOT NULL,
    expires_at timestamp without time zone NOT NULL,
    taken_by character varying(100)
);
CREATE SEQUENCE public.confirmations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.confirmations_id_seq OWNED BY public.confirmations.id;
CREATE TABLE public.conversations (
    id character varying(200) NOT NULL,
    created_at timestamp without time zone NOT NULL
);
CREATE TABLE public.document_sets (
    name character varying(100) NOT NULL,
    patterns text NOT NULL
);
CREATE TABLE public.interview_days (
    owner character varying(200) NOT NULL,
    day date NOT NULL,
    sessions integer NOT NULL,
    tokens integer NOT NULL
);
CREATE TABLE public.interview_events (
    session_id character varying(36) NOT NULL,
    seq integer NOT NULL,
    key character varying(200) NOT NULL,
    event text NOT NULL,
    tokens integer NOT NULL,
    at timestamp without time zone NOT NULL
);
CREATE TABLE public.interview_sessions (
    id character varying(36) NOT NULL,
    owner character varying(200) NOT NULL,
    conversation_id character varying(200) NOT NULL,
    pack character varying(100) NOT NULL,
    created_at timestamp without time zone NOT NULL,
    touched_at timestamp without time zone NOT NULL,
    closed_at timestamp without time zone,
    summary_message_id bigint
);
CREATE TABLE public.leases (
    name character varying(50) NOT NULL,
    holder character varying(100) NOT NULL,
    until_ms bigint NOT NULL
);
CREATE TABLE public.logins (
    id integer NOT NULL,
    hash character varying(64) NOT NULL,
    kind character varying(20) NOT NULL,
    user_id character varying(100) NOT NULL,
    name text NOT NULL,
    created_at timestamp without time zone NOT NULL,
    expires_at timestamp without time zone
);
CREATE SEQUENCE public.logins_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.logins_id_seq OWNED BY public.logins.id;
CREATE TABLE public.machines (
    id character varying(100) NOT NULL,
    version character varying(40) NOT NULL,
    started_ms bigint NOT NULL,
    seen_ms bigint NOT NULL,
    at_work integer NOT NULL,
    report text
);
CREATE TABLE public.messages (
    id integer NOT NULL,
    conversation_id character varying(200) NOT NULL,
    role character varying(20) NOT NULL,
    author text NOT NULL,
    text text NOT NULL,
    label character varying(40),
    language character varying(20),
    answer text,
    created_at timestamp without time zone NOT NULL,
    user_key character varying(100),
    exchange character varying(100)
);
CREATE SEQUENCE public.messages_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.messages_id_seq OWNED BY public.messages.id;
CREATE TABLE public.notices (
    kind character varying(50) NOT NULL,
    chat_id character varying(100) NOT NULL,
    user_id character varying(100) NOT NULL,
    said_by character varying(100) NOT NULL,
    said_at timestamp without time zone NOT NULL,
    ends_at timestamp without time zone NOT NULL
);
CREATE TABLE public.run_events (
    seq integer NOT NULL,
    run_id character varying(100) NOT NULL,
    key character varying(200) NOT NULL,
    type character varying(60) NOT NULL,
    "json" text NOT NULL,
    at timestamp without time zone NOT NULL
);
CREATE SEQUENCE public.run_events_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.run_events_seq_seq OWNED BY public.run_events.seq;
CREATE TABLE public.runs (
    id character varying(100) NOT NULL,
    kind character varying(20) NOT NULL,
    person character varying(200) NOT NULL,
    conversation_id character varying(200) NOT NULL,
    state character varying(20) NOT NULL,
    at timestamp without time zone NOT NULL
);
CREATE TABLE public.saved (
    answered_id character varying(200) NOT NULL,
    layer character varying(20) NOT NULL,
    calls integer NOT NULL,
    tokens integer NOT NULL
);
CREATE TABLE public.sent_messages (
    chat_id character varying(100) NOT NULL,
    message_id bigint NOT NULL,
    key character varying(200),
    sent_at timestamp without time zone NOT NULL
);
CREATE TABLE public.spending (
    id integer NOT NULL,
    answered_id character varying(200),
    spent_at timestamp without time zone NOT NULL,
    purpose character varying(40) NOT NULL,
    role character varying(40) NOT NULL,
    calls integer NOT NULL,
    input_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    seconds double precision NOT NULL,
    cost double precision NOT NULL,
    unpriced_calls integer NOT NULL
);
CREATE SEQUENCE public.spending_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.spending_id_seq OWNED BY public.spending.id;
CREATE TABLE public.spent (
    day character varying(10) NOT NULL,
    chat_id character varying(100) NOT NULL,
    user_id character varying(100) NOT NULL,
    tokens bigint NOT NULL
);
CREATE TABLE public.summaries (
    conversation_id character varying(200) NOT NULL,
    text text NOT NULL,
    up_to integer NOT NULL
);
CREATE TABLE public.users (
    id character varying(100) NOT NULL,
    name text NOT NULL,
    language character varying(20),
    role character varying(20),
    access character varying(20),
    created_at timestamp without time zone NOT NULL,
    client_language character varying(20)
);
ALTER TABLE ONLY public.arrivals ALTER COLUMN id SET DEFAULT nextval('public.arrivals_id_seq'::regclass);
ALTER TABLE ONLY public.asks ALTER COLUMN id SET DEFAULT nextval('public.asks_id_seq'::regclass);
ALTER TABLE ONLY public.confirmations ALTER COLUMN id SET DEFAULT nextval('public.confirmations_id_seq'::regclass);
ALTER TABLE ONLY public.logins ALTER COLUMN id SET DEFAULT nextval('public.logins_id_seq'::regclass);
ALTER TABLE ONLY public.messages ALTER COLUMN id SET DEFAULT nextval('public.messages_id_seq'::regclass);
ALTER TABLE ONLY public.run_events ALTER COLUMN seq SET DEFAULT nextval('public.run_events_seq_seq'::regclass);
ALTER TABLE ONLY public.spending ALTER COLUMN id SET DEFAULT nextval('public.spending_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0019');
INSERT INTO public.compatibility VALUES ('0019');
INSERT INTO public.conversations VALUES ('a', '2026-11-26 18:00:00');
INSERT INTO public.messages VALUES (5, 'a', 'user', 'Ann', 'old words', NULL, NULL, NULL, '2026-11-26 18:00:00', 'telegram:41', NULL);
INSERT INTO public.run_events VALUES (7, 'web:1:x', 'end', 'complete', '{}', '2026-11-26 18:00:00');
INSERT INTO public.runs VALUES ('web:1:x', 'answer', 'telegram:41', 'a', 'complete', '2026-11-26 18:00:00');
INSERT INTO public.summaries VALUES ('a', 'old summary', 5);
SELECT pg_catalog.setval('public.arrivals_id_seq', 1, false);
SELECT pg_catalog.setval('public.asks_id_seq', 1, false);
SELECT pg_catalog.setval('public.confirmations_id_seq', 1, false);
SELECT pg_catalog.setval('public.logins_id_seq', 1, false);
SELECT pg_catalog.setval('public.messages_id_seq', 1, false);
SELECT pg_catalog.setval('public.run_events_seq_seq', 1, false);
SELECT pg_catalog.setval('public.spending_id_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.access_request_messages
    ADD CONSTRAINT pk_access_request_messages PRIMARY KEY (user_id, admin_id);
ALTER TABLE ONLY public.access_requests
    ADD CONSTRAINT pk_access_requests PRIMARY KEY (user_id);
ALTER TABLE ONLY public.answered
    ADD CONSTRAINT pk_answered PRIMARY KEY (id);
ALTER TABLE ONLY public.arrivals
    ADD CONSTRAINT pk_arrivals PRIMARY KEY (id);
ALTER TABLE ONLY public.ask_messages
    ADD CONSTRAINT pk_ask_messages PRIMARY KEY (chat_id, message_id);
ALTER TABLE ONLY public.asked
    ADD CONSTRAINT pk_asked PRIMARY KEY (answered_id);
ALTER TABLE ONLY public.asks
    ADD CONSTRAINT pk_asks PRIMARY KEY (id);
ALTER TABLE ONLY public.bots
    ADD CONSTRAINT pk_bots PRIMARY KEY (id);
ALTER TABLE ONLY public.chat_documents
    ADD CONSTRAINT pk_chat_documents PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.chats
    ADD CONSTRAINT pk_chats PRIMARY KEY (id);
ALTER TABLE ONLY public.compatibility
    ADD CONSTRAINT pk_compatibility PRIMARY KEY (oldest);
ALTER TABLE ONLY public.confirmations
    ADD CONSTRAINT pk_confirmations PRIMARY KEY (id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT pk_conversations PRIMARY KEY (id);
ALTER TABLE ONLY public.document_sets
    ADD CONSTRAINT pk_document_sets PRIMARY KEY (name);
ALTER TABLE ONLY public.interview_days
    ADD CONSTRAINT pk_interview_days PRIMARY KEY (owner, day);
ALTER TABLE ONLY public.interview_events
    ADD CONSTRAINT pk_interview_events PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY public.interview_sessions
    ADD CONSTRAINT pk_interview_sessions PRIMARY KEY (id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT pk_leases PRIMARY KEY (name);
ALTER TABLE ONLY public.logins
    ADD CONSTRAINT pk_logins PRIMARY KEY (id);
ALTER TABLE ONLY public.machines
    ADD CONSTRAINT pk_machines PRIMARY KEY (id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT pk_messages PRIMARY KEY (id);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT pk_notices PRIMARY KEY (kind, chat_id, user_id);
ALTER TABLE ONLY public.run_events
    ADD CONSTRAINT pk_run_events PRIMARY KEY (seq);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT pk_runs PRIMARY KEY (id);
ALTER TABLE ONLY public.saved
    ADD CONSTRAINT pk_saved PRIMARY KEY (answered_id, layer);
ALTER TABLE ONLY public.sent_messages
    ADD CONSTRAINT pk_sent_messages PRIMARY KEY (chat_id, message_id);
ALTER TABLE ONLY public.spending
    ADD CONSTRAINT pk_spending PRIMARY KEY (id);
ALTER TABLE ONLY public.spent
    ADD CONSTRAINT pk_spent PRIMARY KEY (day, chat_id, user_id);
ALTER TABLE ONLY public.summaries
    ADD CONSTRAINT pk_summaries PRIMARY KEY (conversation_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT pk_users PRIMARY KEY (id);
ALTER TABLE ONLY public.arrivals
    ADD CONSTRAINT uq_arrivals_key UNIQUE (key);
ALTER TABLE ONLY public.asks
    ADD CONSTRAINT uq_asks_chat_id_message_id UNIQUE (chat_id, message_id);
ALTER TABLE ONLY public.asks
    ADD CONSTRAINT uq_asks_workflow_id UNIQUE (workflow_id);
ALTER TABLE ONLY public.interview_events
    ADD CONSTRAINT uq_interview_events_session_id_key UNIQUE (session_id, key);
ALTER TABLE ONLY public.logins
    ADD CONSTRAINT uq_logins_hash UNIQUE (hash);
ALTER TABLE ONLY public.run_events
    ADD CONSTRAINT uq_run_events_run_id_key UNIQUE (run_id, key);
ALTER TABLE ONLY public.sent_messages
    ADD CONSTRAINT uq_sent_messages_key UNIQUE (key);
CREATE INDEX ix_access_requests_asked_at ON public.access_requests USING btree (asked_at);
CREATE INDEX ix_answered_asked_at ON public.answered USING btree (asked_at);
CREATE INDEX ix_arrivals_chat_id_arrived_at ON public.arrivals USING btree (chat_id, arrived_at);
CREATE INDEX ix_arrivals_user_id_arrived_at ON public.arrivals USING btree (user_id, arrived_at);
CREATE INDEX ix_ask_messages_ask_id ON public.ask_messages USING btree (ask_id);
CREATE INDEX ix_asked_conversation_id ON public.asked USING btree (conversation_id);
CREATE INDEX ix_asked_user_key ON public.asked USING btree (user_key);
CREATE INDEX ix_asks_chat_id_thread_id_state ON public.asks USING btree (chat_id, thread_id, state);
CREATE INDEX ix_asks_user_id ON public.asks USING btree (user_id);
CREATE INDEX ix_interview_sessions_owner_conversation_id ON public.interview_sessions USING btree (owner, conversation_id);
CREATE INDEX ix_logins_user_id ON public.logins USING btree (user_id);
CREATE INDEX ix_messages_conversation_id_id ON public.messages USING btree (conversation_id, id);
CREATE UNIQUE INDEX ix_messages_exchange_role ON public.messages USING btree (exchange, role);
CREATE INDEX ix_messages_user_key ON public.messages USING btree (user_key);
CREATE INDEX ix_runs_at ON public.runs USING btree (at);
CREATE INDEX ix_runs_conversation_id ON public.runs USING btree (conversation_id);
CREATE INDEX ix_runs_person_at ON public.runs USING btree (person, at);
CREATE INDEX ix_sent_messages_sent_at ON public.sent_messages USING btree (sent_at);
CREATE INDEX ix_spending_answered_id ON public.spending USING btree (answered_id);
CREATE INDEX ix_spending_spent_at ON public.spending USING btree (spent_at);
ALTER TABLE ONLY public.access_request_messages
    ADD CONSTRAINT fk_access_request_messages_user_id FOREIGN KEY (user_id) REFERENCES public.access_requests(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ask_messages
    ADD CONSTRAINT fk_ask_messages_ask_id FOREIGN KEY (ask_id) REFERENCES public.asks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.asked
    ADD CONSTRAINT fk_asked_answered_id FOREIGN KEY (answered_id) REFERENCES public.answered(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.asked
    ADD CONSTRAINT fk_asked_conversation_id FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat_documents
    ADD CONSTRAINT fk_chat_documents_set_name FOREIGN KEY (set_name) REFERENCES public.document_sets(name);
ALTER TABLE ONLY public.interview_events
    ADD CONSTRAINT fk_interview_events_session_id FOREIGN KEY (session_id) REFERENCES public.interview_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT fk_messages_conversation_id FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_events
    ADD CONSTRAINT fk_run_events_run_id FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.saved
    ADD CONSTRAINT fk_saved_answered_id FOREIGN KEY (answered_id) REFERENCES public.answered(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.spending
    ADD CONSTRAINT fk_spending_answered_id FOREIGN KEY (answered_id) REFERENCES public.answered(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.summaries
    ADD CONSTRAINT fk_summaries_conversation_id FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.summaries
    ADD CONSTRAINT fk_summaries_up_to FOREIGN KEY (up_to) REFERENCES public.messages(id) ON DELETE CASCADE;
