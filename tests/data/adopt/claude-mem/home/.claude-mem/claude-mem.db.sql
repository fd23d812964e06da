CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT, facts TEXT,
 narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER, created_at TEXT, created_at_epoch INTEGER);
INSERT INTO observations VALUES (1, 's1', '{NAME}', NULL, 'bugfix', 'Webhook signatures used the wrong clock', 'verification',
 '["The tolerance is 300 seconds", "The clock of the proxy was five minutes late"]',
 'Webhook verification failed because the proxy clock drifted; the tolerance was raised to 300 seconds.', '["gotcha"]', '["src/hooks.py"]', '["src/hooks.py"]', 1,
 '2026-01-10T09:00:00Z', 1768035600000);
INSERT INTO observations VALUES (2, 's2', 'another', NULL, 'discovery', 'Payroll of another project', NULL, '[]', 'Confidential.', '[]', '[]', '[]', 1,
 '2026-01-11T09:00:00Z', 1768122000000);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, investigated TEXT, learned TEXT, completed TEXT,
 next_steps TEXT, notes TEXT, prompt_number INTEGER, created_at TEXT, created_at_epoch INTEGER);
INSERT INTO session_summaries VALUES (1, 's1', '{NAME}', 'Webhookの署名エラーを直す', 'src/hooks.py', '署名の検証は受信時刻ではなくヘッダーの時刻を使う', '許容誤差を広げた', NULL, NULL, 1,
 '2026-01-10T10:00:00Z', 1768039200000);
