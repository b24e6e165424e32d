import { expect, test } from 'bun:test'
import { openDatabase } from '../../db/database'
import { toPoolSettings } from '../../db/connection-pool'

const direct = {
  adapter: 'postgres' as const,
  url: 'postgresql://localhost',
  username: 'kiraya',
  password: '',
  database: 'kiraya',
  tls: false as const,
  max: 7,
  prepare: true,
  connectionTimeout: 1.5,
  idleTimeout: 10,
  connection: { application_name: 'kiraya', client_connection_check_interval: 2000 },
}
const local = { ...direct, hostname: 'localhost', port: 5432 }
const pooled = { ...local, prepare: false, connection: { application_name: 'kiraya' } }
const verified = { ...local, hostname: 'db.example.com', tls: { rejectUnauthorized: true } }

test.each([
  ['postgresql://kiraya@localhost', local],
  ['postgresql:///kiraya?user=kiraya', local],
  ['postgresql://kiraya@localhost/kiraya?prepared=true', local],
  ['postgresql://kiraya@localhost/kiraya?prepared=false', pooled],
  [
    'postgresql://asha:a%20secret@db.example.com:6432/books',
    {
      ...local,
      hostname: 'db.example.com',
      port: 6432,
      username: 'asha',
      password: 'a secret',
      database: 'books',
    },
  ],
  ['postgresql://kiraya@localhost/kiraya?host=/run/pg', { ...direct, path: '/run/pg/.s.PGSQL.5432' }],
  ['postgresql://kiraya@localhost:5433/kiraya?host=/run/pg', { ...direct, path: '/run/pg/.s.PGSQL.5433' }],
  ['postgresql://kiraya@db.example.com/kiraya?ssl=true', verified],
  ['postgresql://kiraya@db.example.com/kiraya?sslmode=disable', { ...verified, tls: false as const }],
  [
    'postgresql://kiraya@db.example.com/kiraya?sslmode=no-verify',
    { ...verified, tls: { rejectUnauthorized: false, cert: undefined } },
  ],
])('%s is understood as pg understands it', (url, expected) => {
  const { path, hostname, port, ...rest } = {
    path: undefined,
    hostname: undefined,
    port: undefined,
    ...expected,
  }
  expect(toPoolSettings(url, 7)).toEqual({ path, hostname, port, ...rest } as never)
})

test('a process has ten connections, unless it is given a number', async () => {
  const url = 'postgresql://kiraya@localhost/kiraya'
  const [usual, small] = [openDatabase(url), openDatabase(url, { poolSize: 3 })]
  expect([usual.getConnectionCounts().max, small.getConnectionCounts().max]).toEqual([10, 3])
  await Promise.all([usual.close(), small.close()])
})
