-- A login for each database role of the service, so that no session can become another role than its own.
-- After `npm run migrate`, with the login of DATABASE_URL:
--   psql "$DATABASE_URL" -v app_password=... -v system_password=... -v jobs_password=... -f ops/logins.sql
-- Then start the service with DATABASE_URL as before (migrations only), and with
--   DATABASE_APP_URL=postgres://innkeeper_app_login:...@host/database
--   DATABASE_SYSTEM_URL=postgres://innkeeper_system_login:...@host/database
--   DATABASE_JOBS_URL=postgres://innkeeper_jobs_login:...@host/database
create role innkeeper_app_login login noinherit nosuperuser nobypassrls password :'app_password';
create role innkeeper_system_login login noinherit nosuperuser nobypassrls password :'system_password';
create role innkeeper_jobs_login login noinherit nosuperuser nobypassrls password :'jobs_password';
grant innkeeper_app to innkeeper_app_login with inherit false, set true;
grant innkeeper_system to innkeeper_system_login with inherit false, set true;
grant innkeeper_jobs to innkeeper_jobs_login with inherit false, set true;
