-- A small store as version 0.1.0 left it: chen, li, four questions, one decision, and the starter of that version live.
-- It is never made again with newer code. Made in a checkout of that version by `python make.py`, which was:
--
--     import sqlite3
--     from pathlib import Path
--     from app.resources import load_tagger
--     from app.settings import Settings
--     from app.store import open_store
--     from app.suggester import Suggester
--     from app import annotation
--     from app.annotation import Desk, QueueChoice
--     from db import ledger, people, queue, settings
--     from db.importing import IncomingQuestion, import_questions
--
--     store = open_store(Settings(database="sqlite:///old.db"))
--     chen = store.run(lambda session: people.add(session, "chen", "admin")).id
--     store.run(lambda session: people.add(session, "li", by=chen))
--     store.run(lambda session: settings.set_shares(session, settings.Shares(0.0, 0.0), by=chen))
--     titles = ("怎样学习编程？", "有哪些好看的电影推荐？", "如何做好红烧肉？", "跑步对膝盖有伤害吗？")
--     rows = [IncomingQuestion(line=n, title=t, tags=(), source="samples", external_id=str(n)) for n, t in enumerate(titles, 1)]
--     import_questions(store, rows, name="questions.jsonl", fingerprint="made by hand")
--     suggester = Suggester(store, load_tagger, Path("models/starter").absolute(), 8)
--     suggester.look_ahead = lambda order: None
--     desk = Desk()
--     annotation.take(desk, store, suggester, chen, QueueChoice())
--     verdicts = {desk.item.shown[0].tag: "accepted"}
--     message = {"type": "submit", "nonce": "1", "item": desk.item.claim.question_id, "lease": desk.item.claim.lease_id, "verdicts": verdicts, "seconds": 2.5}
--     annotation.act(desk, message, store, suggester, chen, QueueChoice())
--     assert desk.outcome.error is None, desk.outcome
--     store.run(lambda session: queue.release(session, desk.item.claim.lease_id, chen))
--     store.close()
--
--     with open("version_0_1_0.sql", "w") as stream:
--         stream.writelines(f"{line}\n" for line in sqlite3.connect("old.db").iterdump())
--
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE comments (
	entry_number INTEGER NOT NULL,
	text VARCHAR NOT NULL,
	CONSTRAINT pk_comments PRIMARY KEY (entry_number),
	CONSTRAINT fk_comments_entry_number FOREIGN KEY(entry_number) REFERENCES entries (number)
);
CREATE TABLE "entries" (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	at BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	person_id INTEGER,
	question_id INTEGER,
	suggestion_id INTEGER,
	lease_id INTEGER,
	target INTEGER,
	standing VARCHAR,
	pick VARCHAR,
	model_version VARCHAR,
	seconds DOUBLE,
	flag VARCHAR,
	idempotency_key VARCHAR,
	digest VARCHAR,
	payload JSON NOT NULL,
	CONSTRAINT fk_entries_question_id FOREIGN KEY(question_id) REFERENCES questions (id),
	CONSTRAINT fk_entries_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_entries_lease_id FOREIGN KEY(lease_id) REFERENCES leases (id),
	CONSTRAINT fk_entries_suggestion_id FOREIGN KEY(suggestion_id) REFERENCES suggestions (id),
	CONSTRAINT uq_entries_idempotency_key UNIQUE (idempotency_key),
	CONSTRAINT fk_entries_target FOREIGN KEY(target) REFERENCES entries (number),
	CONSTRAINT ck_entries_kind_is_known CHECK (kind IN ('decision', 'review', 'undo', 'redact', 'tag', 'person', 'queue', 'register', 'promote', 'rollback', 'retrain', 'prune'))
);
INSERT INTO "entries" VALUES(1,1794990281065000,'person',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"added": "chen", "role": "admin"}');
INSERT INTO "entries" VALUES(2,1794990281068000,'person',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"added": "li", "role": "moderator"}');
INSERT INTO "entries" VALUES(3,1794990281070000,'queue',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"random_share": 0.0, "blind_share": 0.0}');
INSERT INTO "entries" VALUES(4,1794990283018000,'register',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"version": "414fec76bf14"}');
INSERT INTO "entries" VALUES(5,1794990283028000,'promote',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"version": "414fec76bf14", "previous": null}');
INSERT INTO "entries" VALUES(6,1794990283755000,'decision',1,1,1,1,NULL,'answer','ordered','414fec76bf14',2.5,NULL,'board-1','8b85485a8cae58c04b6d9bb948b50309d510c3bcae621b51726b37d96b992506','{}');
CREATE TABLE imports (
	id INTEGER NOT NULL,
	name VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	rows_done INTEGER NOT NULL,
	added INTEGER NOT NULL,
	duplicates INTEGER NOT NULL,
	bad INTEGER NOT NULL,
	person_id INTEGER,
	started_at BIGINT NOT NULL,
	finished_at BIGINT,
	CONSTRAINT pk_imports PRIMARY KEY (id),
	CONSTRAINT ck_imports_ck_imports_state_is_known CHECK (state IN ('running', 'finished')),
	CONSTRAINT fk_imports_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);
INSERT INTO "imports" VALUES(1,'questions.jsonl','made by hand','finished',4,4,0,0,NULL,1794990281075000,1794990281083000);
CREATE TABLE leases (
	id INTEGER NOT NULL,
	question_id INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	pick VARCHAR NOT NULL,
	ordering VARCHAR,
	state VARCHAR NOT NULL,
	claimed_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	ended_at BIGINT,
	reason VARCHAR,
	CONSTRAINT pk_leases PRIMARY KEY (id),
	CONSTRAINT ck_leases_ck_leases_pick_is_known CHECK (pick IN ('ordered', 'random', 'blind', 'direct')),
	CONSTRAINT ck_leases_ck_leases_state_is_known CHECK (state IN ('held', 'submitted', 'skipped', 'released', 'expired', 'undone')),
	CONSTRAINT fk_leases_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_leases_question_id FOREIGN KEY(question_id) REFERENCES questions (id)
);
INSERT INTO "leases" VALUES(1,1,1,'ordered','oldest','submitted',1794990281096000,1794991181096000,1794990283754000,NULL);
INSERT INTO "leases" VALUES(2,2,1,'ordered','oldest','released',1794990283767000,1794991183767000,1794990283840000,NULL);
CREATE TABLE "model_versions" (
	id INTEGER NOT NULL,
	version VARCHAR NOT NULL,
	path VARCHAR NOT NULL,
	parent_id INTEGER,
	training_data VARCHAR,
	metrics JSON NOT NULL,
	state VARCHAR NOT NULL,
	registered_at BIGINT NOT NULL,
	CONSTRAINT pk_model_versions PRIMARY KEY (id),
	CONSTRAINT fk_model_versions_parent_id FOREIGN KEY(parent_id) REFERENCES model_versions (id),
	CONSTRAINT uq_model_versions_version UNIQUE (version),
	CONSTRAINT ck_model_versions_state_is_known CHECK (state IN ('candidate', 'live', 'retired', 'pruned'))
);
INSERT INTO "model_versions" VALUES(1,'414fec76bf14','models/starter',NULL,NULL,'{}','live',1794990283017000);
CREATE TABLE people (
	id INTEGER NOT NULL,
	name VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	active BOOLEAN NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_people PRIMARY KEY (id),
	CONSTRAINT ck_people_ck_people_role_is_known CHECK (role IN ('moderator', 'researcher', 'admin')),
	CONSTRAINT uq_people_name UNIQUE (name)
);
INSERT INTO "people" VALUES(1,'chen','admin',1,1794990281063000);
INSERT INTO "people" VALUES(2,'li','moderator',1,1794990281068000);
CREATE TABLE prior_labels (
	question_id INTEGER NOT NULL,
	"key" VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	place INTEGER NOT NULL,
	CONSTRAINT pk_prior_labels PRIMARY KEY (question_id, "key"),
	CONSTRAINT fk_prior_labels_question_id FOREIGN KEY(question_id) REFERENCES questions (id)
);
CREATE TABLE questions (
	id INTEGER NOT NULL,
	source VARCHAR NOT NULL,
	external_id VARCHAR NOT NULL,
	url VARCHAR NOT NULL,
	title VARCHAR NOT NULL,
	description VARCHAR NOT NULL,
	text_hash VARCHAR(64) NOT NULL,
	import_id INTEGER,
	created_at BIGINT NOT NULL,
	redacted_at BIGINT,
	CONSTRAINT pk_questions PRIMARY KEY (id),
	CONSTRAINT fk_questions_import_id FOREIGN KEY(import_id) REFERENCES imports (id),
	CONSTRAINT uq_questions_text_hash UNIQUE (text_hash)
);
INSERT INTO "questions" VALUES(1,'samples','1','','怎样学习编程？','','66b00e572e410afa6f8306e1909753ab19ac08d7dad37005bbc7442a623ff8da',1,1794990281079000,NULL);
INSERT INTO "questions" VALUES(2,'samples','2','','有哪些好看的电影推荐？','','0290a791e1e521a495cd88b1d6ab5471d73b034c01fbb5b769812e41d826a9b8',1,1794990281079000,NULL);
INSERT INTO "questions" VALUES(3,'samples','3','','如何做好红烧肉？','','842331741fd84f79e256b7d947539577464635ac6bc4829c5101213496680858',1,1794990281079000,NULL);
INSERT INTO "questions" VALUES(4,'samples','4','','跑步对膝盖有伤害吗？','','1c3b5462d2d16ac5ae0c7431245f42d4b25362b9d68a3259d059aab8ffb18b27',1,1794990281079000,NULL);
CREATE TABLE queue_items (
	question_id INTEGER NOT NULL,
	source VARCHAR NOT NULL,
	pool VARCHAR NOT NULL,
	overlap INTEGER NOT NULL,
	answers INTEGER NOT NULL,
	holders INTEGER NOT NULL,
	is_open BOOLEAN NOT NULL,
	"conflict" BOOLEAN NOT NULL,
	reviewed BOOLEAN NOT NULL,
	certainty DOUBLE NOT NULL,
	rarest_uses INTEGER NOT NULL,
	random_key DOUBLE NOT NULL,
	CONSTRAINT pk_queue_items PRIMARY KEY (question_id),
	CONSTRAINT ck_queue_items_ck_queue_items_pool_is_known CHECK (pool IN ('ordered', 'random', 'blind')),
	CONSTRAINT fk_queue_items_question_id FOREIGN KEY(question_id) REFERENCES questions (id)
);
INSERT INTO "queue_items" VALUES(1,'samples','ordered',1,1,0,0,0,0,-5.48507306515453141315e+00,0,4.01123901638360536026e-01);
INSERT INTO "queue_items" VALUES(2,'samples','ordered',1,0,0,1,0,0,-3.125,0,1.0019753566571143466e-02);
INSERT INTO "queue_items" VALUES(3,'samples','ordered',1,0,0,1,0,0,0.0,2147483647,5.16162005282098768077e-01);
INSERT INTO "queue_items" VALUES(4,'samples','ordered',1,0,0,1,0,0,0.0,2147483647,1.1028029835398944769e-01);
CREATE TABLE queue_tags (
	"key" VARCHAR NOT NULL,
	question_id INTEGER NOT NULL,
	CONSTRAINT pk_queue_tags PRIMARY KEY ("key", question_id),
	CONSTRAINT fk_queue_tags_question_id FOREIGN KEY(question_id) REFERENCES questions (id)
);
INSERT INTO "queue_tags" VALUES('学习',1);
INSERT INTO "queue_tags" VALUES('编程',1);
INSERT INTO "queue_tags" VALUES('编程语言',1);
INSERT INTO "queue_tags" VALUES('电影',2);
INSERT INTO "queue_tags" VALUES('电影推荐',2);
CREATE TABLE settings (
	name VARCHAR NOT NULL,
	value VARCHAR NOT NULL,
	CONSTRAINT pk_settings PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('random_share','0.0');
INSERT INTO "settings" VALUES('blind_share','0.0');
INSERT INTO "settings" VALUES('tag_revision','2');
CREATE TABLE suggested_tags (
	suggestion_id INTEGER NOT NULL,
	rank INTEGER NOT NULL,
	text VARCHAR NOT NULL,
	"key" VARCHAR NOT NULL,
	votes INTEGER NOT NULL,
	probability DOUBLE NOT NULL,
	kept BOOLEAN NOT NULL,
	is_new BOOLEAN NOT NULL,
	cues JSON NOT NULL,
	hypothesis JSON NOT NULL,
	CONSTRAINT pk_suggested_tags PRIMARY KEY (suggestion_id, rank),
	CONSTRAINT fk_suggested_tags_suggestion_id FOREIGN KEY(suggestion_id) REFERENCES suggestions (id)
);
INSERT INTO "suggested_tags" VALUES(1,1,'编程','编程',8,2.381248132980899046e-01,1,0,'["\u7f16\u7a0b"]','["\u7f16\u7a0b"]');
INSERT INTO "suggested_tags" VALUES(1,2,'学习','学习',6,3.75175133737782190435e-02,1,0,'["\u5b66\u4e60"]','["\u5b66\u4e60"]');
INSERT INTO "suggested_tags" VALUES(1,3,'编程语言','编程语言',5,1.03636582818108044512e-01,1,0,'["\u7f16\u7a0b"]','["\u7f16\u7a0b", "\u7f16\u7a0b\u8bed\u8a00"]');
INSERT INTO "suggested_tags" VALUES(1,4,'C(编程语言)','c(编程语言)',2,8.42765655690864284865e-03,0,0,'["\u7f16\u7a0b"]','["C(\u7f16\u7a0b\u8bed\u8a00)", "\u7f16\u7a0b"]');
INSERT INTO "suggested_tags" VALUES(1,5,'计算机','计算机',2,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,6,'X 是种怎样的体验','x 是种怎样的体验',1,0.0,0,0,'["\u600e\u6837"]','[]');
INSERT INTO "suggested_tags" VALUES(1,7,'算法','算法',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,8,'大一','大一',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,9,'计算机专业','计算机专业',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,10,'家庭','家庭',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,11,'成长','成长',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,12,'学习方法','学习方法',1,0.0,0,0,'["\u5b66\u4e60"]','[]');
INSERT INTO "suggested_tags" VALUES(1,13,'生活','生活',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,14,'大学生活','大学生活',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(1,15,'计算机网络','计算机网络',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(2,1,'电影推荐','电影推荐',8,3.20317907624985132031e-01,1,0,'["\u7535\u5f71", "\u63a8\u8350"]','["\u7535\u5f71", "\u7535\u5f71\u63a8\u8350"]');
INSERT INTO "suggested_tags" VALUES(2,2,'电影','电影',8,2.75389305797185512947e-01,1,0,'["\u7535\u5f71"]','["\u7535\u5f71", "\u7535\u5f71\u63a8\u8350"]');
INSERT INTO "suggested_tags" VALUES(2,3,'影视评论','影视评论',2,1.12576733960644426862e-02,0,0,'[]','["\u7535\u5f71", "\u5f71\u89c6\u8bc4\u8bba"]');
INSERT INTO "suggested_tags" VALUES(2,4,'影视推荐','影视推荐',1,2.33742512384300330646e-03,0,1,'["\u63a8\u8350"]','["\u7535\u5f71\u63a8\u8350", "\u5f71\u89c6\u63a8\u8350", "\u7535\u5f71"]');
INSERT INTO "suggested_tags" VALUES(2,5,'生活','生活',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(2,6,'电视剧','电视剧',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(2,7,'衣服','衣服',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(2,8,'服饰搭配','服饰搭配',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(2,9,'购物','购物',1,0.0,0,0,'[]','[]');
INSERT INTO "suggested_tags" VALUES(2,10,'影视','影视',1,0.0,0,0,'[]','[]');
CREATE TABLE suggestions (
	id INTEGER NOT NULL,
	question_id INTEGER NOT NULL,
	model_id INTEGER NOT NULL,
	beam INTEGER NOT NULL,
	threshold DOUBLE NOT NULL,
	created_at BIGINT NOT NULL,
	CONSTRAINT pk_suggestions PRIMARY KEY (id),
	CONSTRAINT fk_suggestions_model_id FOREIGN KEY(model_id) REFERENCES model_versions (id),
	CONSTRAINT fk_suggestions_question_id FOREIGN KEY(question_id) REFERENCES questions (id),
	CONSTRAINT uq_suggestions_question_id_model_id_beam_threshold UNIQUE (question_id, model_id, beam, threshold)
);
INSERT INTO "suggestions" VALUES(1,1,1,8,2.70833333333333314829e-01,1794990283730000);
INSERT INTO "suggestions" VALUES(2,2,1,8,2.70833333333333314829e-01,1794990283832000);
CREATE TABLE tag_changes (
	entry_number INTEGER NOT NULL,
	place INTEGER NOT NULL,
	tag_id INTEGER,
	"key" VARCHAR,
	"before" JSON NOT NULL,
	"after" JSON NOT NULL,
	CONSTRAINT pk_tag_changes PRIMARY KEY (entry_number, place),
	CONSTRAINT fk_tag_changes_entry_number FOREIGN KEY(entry_number) REFERENCES entries (number)
);
CREATE TABLE tag_names (
	"key" VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	tag_id INTEGER NOT NULL,
	CONSTRAINT pk_tag_names PRIMARY KEY ("key"),
	CONSTRAINT fk_tag_names_tag_id FOREIGN KEY(tag_id) REFERENCES tags (id)
);
INSERT INTO "tag_names" VALUES('编程','编程',1);
CREATE TABLE tags (
	id INTEGER NOT NULL,
	name VARCHAR NOT NULL,
	status VARCHAR NOT NULL,
	merged_into_id INTEGER,
	parent_id INTEGER,
	external_id VARCHAR,
	definition VARCHAR NOT NULL,
	uses INTEGER NOT NULL,
	first_seen_at BIGINT NOT NULL,
	first_seen_by INTEGER,
	revision INTEGER NOT NULL,
	CONSTRAINT pk_tags PRIMARY KEY (id),
	CONSTRAINT ck_tags_ck_tags_status_is_known CHECK (status IN ('active', 'deprecated', 'merged')),
	CONSTRAINT fk_tags_first_seen_by FOREIGN KEY(first_seen_by) REFERENCES people (id),
	CONSTRAINT fk_tags_merged_into_id FOREIGN KEY(merged_into_id) REFERENCES tags (id),
	CONSTRAINT fk_tags_parent_id FOREIGN KEY(parent_id) REFERENCES tags (id)
);
INSERT INTO "tags" VALUES(1,'编程','active',NULL,NULL,NULL,'',0,1794990283759000,1,2);
CREATE TABLE training_runs (
	id INTEGER NOT NULL,
	state VARCHAR NOT NULL,
	phase VARCHAR NOT NULL,
	done INTEGER NOT NULL,
	total INTEGER NOT NULL,
	message VARCHAR NOT NULL,
	options JSON NOT NULL,
	folder VARCHAR NOT NULL,
	host VARCHAR NOT NULL,
	pid INTEGER,
	pid_started DOUBLE,
	cancel_requested BOOLEAN NOT NULL,
	snapshot JSON NOT NULL,
	candidate VARCHAR,
	gate JSON,
	requested_by INTEGER,
	requested_at BIGINT NOT NULL,
	beat_at BIGINT NOT NULL,
	ended_at BIGINT,
	CONSTRAINT pk_training_runs PRIMARY KEY (id),
	CONSTRAINT ck_training_runs_state_is_known CHECK (state IN ('running', 'finished', 'failed', 'cancelled', 'lost')),
	CONSTRAINT fk_training_runs_requested_by FOREIGN KEY(requested_by) REFERENCES people (id)
);
CREATE TABLE verdicts (
	entry_number INTEGER NOT NULL,
	"key" VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	verdict VARCHAR NOT NULL,
	place INTEGER NOT NULL,
	CONSTRAINT pk_verdicts PRIMARY KEY (entry_number, "key"),
	CONSTRAINT ck_verdicts_ck_verdicts_verdict_is_known CHECK (verdict IN ('accepted', 'rejected', 'added', 'unjudged')),
	CONSTRAINT fk_verdicts_entry_number FOREIGN KEY(entry_number) REFERENCES entries (number)
);
INSERT INTO "verdicts" VALUES(6,'编程','编程','accepted',0);
INSERT INTO "verdicts" VALUES(6,'学习','学习','unjudged',1);
INSERT INTO "verdicts" VALUES(6,'编程语言','编程语言','unjudged',2);
INSERT INTO "verdicts" VALUES(6,'c(编程语言)','C(编程语言)','unjudged',3);
INSERT INTO "verdicts" VALUES(6,'计算机','计算机','unjudged',4);
INSERT INTO "verdicts" VALUES(6,'x 是种怎样的体验','X 是种怎样的体验','unjudged',5);
INSERT INTO "verdicts" VALUES(6,'算法','算法','unjudged',6);
INSERT INTO "verdicts" VALUES(6,'大一','大一','unjudged',7);
INSERT INTO "verdicts" VALUES(6,'计算机专业','计算机专业','unjudged',8);
INSERT INTO "verdicts" VALUES(6,'家庭','家庭','unjudged',9);
CREATE INDEX ix_imports_fingerprint ON imports (fingerprint);
CREATE INDEX ix_tags_external_id ON tags (external_id);
CREATE INDEX ix_tags_merged_into_id ON tags (merged_into_id);
CREATE INDEX ix_tags_parent_id ON tags (parent_id);
CREATE INDEX ix_tags_revision ON tags (revision);
CREATE INDEX ix_questions_source_external_id ON questions (source, external_id);
CREATE INDEX ix_tag_names_tag_id ON tag_names (tag_id);
CREATE INDEX ix_leases_expiry ON leases (expires_at) WHERE state = 'held';
CREATE INDEX ix_leases_person ON leases (person_id, question_id, state);
CREATE UNIQUE INDEX uq_leases_held ON leases (question_id, person_id) WHERE state = 'held';
CREATE INDEX ix_prior_labels_key ON prior_labels ("key");
CREATE INDEX ix_queue_conflict ON queue_items (question_id) WHERE conflict = 1;
CREATE INDEX ix_queue_oldest ON queue_items (pool, answers, question_id) WHERE is_open = 1;
CREATE INDEX ix_queue_random ON queue_items (pool, answers, random_key, question_id) WHERE is_open = 1;
CREATE INDEX ix_queue_rare ON queue_items (pool, answers, rarest_uses, question_id) WHERE is_open = 1;
CREATE INDEX ix_queue_source_oldest ON queue_items (source, pool, answers, question_id) WHERE is_open = 1;
CREATE INDEX ix_queue_source_random ON queue_items (source, pool, answers, random_key, question_id) WHERE is_open = 1;
CREATE INDEX ix_queue_source_rare ON queue_items (source, pool, answers, rarest_uses, question_id) WHERE is_open = 1;
CREATE INDEX ix_queue_source_uncertain ON queue_items (source, pool, answers, certainty, question_id) WHERE is_open = 1;
CREATE INDEX ix_queue_uncertain ON queue_items (pool, answers, certainty, question_id) WHERE is_open = 1;
CREATE INDEX ix_suggestions_model_id ON suggestions (model_id);
CREATE INDEX ix_tag_changes_key ON tag_changes ("key");
CREATE INDEX ix_tag_changes_tag_id ON tag_changes (tag_id);
CREATE INDEX ix_verdicts_key ON verdicts ("key");
CREATE UNIQUE INDEX uq_training_runs_running ON training_runs (state) WHERE state = 'running';
CREATE UNIQUE INDEX uq_model_versions_live ON model_versions (state) WHERE state = 'live';
CREATE INDEX ix_entries_kind_number ON entries (kind, number);
CREATE INDEX ix_entries_suggestion_id ON entries (suggestion_id);
CREATE INDEX ix_entries_person_id_number ON entries (person_id, number);
CREATE INDEX ix_entries_question_id_number ON entries (question_id, number);
CREATE INDEX ix_entries_target ON entries (target);
CREATE TRIGGER entries_no_update BEFORE update ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: entries cannot be changed'); END;
CREATE TRIGGER entries_no_delete BEFORE delete ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: entries cannot be changed'); END;
CREATE TRIGGER verdicts_no_update BEFORE update ON verdicts
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: verdicts cannot be changed'); END;
CREATE TRIGGER verdicts_no_delete BEFORE delete ON verdicts
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: verdicts cannot be changed'); END;
CREATE TRIGGER tag_changes_no_update BEFORE update ON tag_changes
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: tag_changes cannot be changed'); END;
CREATE TRIGGER tag_changes_no_delete BEFORE delete ON tag_changes
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: tag_changes cannot be changed'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('entries',6);
COMMIT;
