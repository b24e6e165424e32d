import { sql, userColumns } from './fragments'

/** Counts one use against as many limits. */
export const countRateLimits = (count: number) => {
  const rows = Array.from(
    { length: count },
    (_, index) => `($${2 + 2 * index}, 1, $${3 + 2 * index}::timestamptz, $1::timestamptz)`,
  )
  return sql`
    insert into rate_limits (key, count, resets_at, created_at)
    values ${rows.join(',')}
    on conflict (key) do update set
      count = case
        when rate_limits.resets_at <= $1::timestamptz then 1
        else rate_limits.count + 1
      end,
      resets_at = case
        when rate_limits.resets_at <= $1::timestamptz then excluded.resets_at
        else rate_limits.resets_at
      end
    returning count`
}

export const refundRateLimits = (count: number) => {
  const keys = Array.from({ length: count }, (_, index) => `$${1 + index}`)
  return sql`
    update rate_limits set count = count - 1
    where count > 0 and key in (
      select key from rate_limits where key in (${keys.join(',')}) order by key for update
    )`
}

export const selectAccountByPhone = sql`
  select user_id, first_name, last_name, email, phone as phone_number, last_login_at, is_active
  from users
  where phone = $1`

export const upsertOtp = sql`
  insert into otp_sessions (phone_number, otp, expire_at, attempts, updated_at, created_at)
  values ($1, $2, $3::timestamptz, 0, $4::timestamptz, $4::timestamptz)
  on conflict (phone_number) do update set
    otp = $2,
    expire_at = $3::timestamptz,
    attempts = 0,
    attempts_by_network = '{}',
    updated_at = $4::timestamptz,
    created_at = $4::timestamptz`

/** Deletes the right OTP, and counts an attempt with a wrong one. */
export const consumeOtp = sql`
  merge into otp_sessions o
  using (select $1::text as phone, $2::text as otp, $4::text as network) given
    on given.phone = o.phone_number
  when matched and (
    o.expire_at <= $3::timestamptz
    or o.attempts >= 20
    or coalesce((o.attempts_by_network ->> given.network)::int, 0) >= 5
  ) then do nothing
  when matched and o.otp = given.otp then delete
  when matched then update set attempts = o.attempts + 1, updated_at = $3::timestamptz
  returning merge_action() as action`

export const insertUser = sql`insert into users (phone) values ($1) on conflict (phone) do nothing`

export const lockUserByPhone = sql`select * from users where phone = $1 and is_active for update`

export const selectPassword = sql`select id, password from users where phone = $1 and is_active`

export const lockUserByPassword = sql`
  select * from users where id = $1 and is_active and password = $2 for update`

export const deleteExpiredSessions = sql`
  delete from auth_sessions where user_id = $1 and token_expires_at <= $2::timestamptz`

export const deactivateSessions = sql`
  update auth_sessions
  set is_active = false, updated_at = $2::timestamptz
  where user_id = $1 and is_active`

export const insertSession = sql`
  insert into auth_sessions (
    sid, user_id, auth_token, expires_by, token_expires_at, created_at, updated_at, is_active
  )
  values ($1, $2, $3, $4::timestamptz, $5::timestamptz, $6::timestamptz, $6::timestamptz, true)
  returning id`

export const updateLastLogin = sql`
  update users set last_login_at = $2::timestamptz, updated_at = $2::timestamptz where id = $1`

export const selectUserById = sql`
  select row_to_json(x) as row from (select ${userColumns} from users u where u.id = $1) x`
