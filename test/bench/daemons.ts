import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './processes'

const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
/** Programs that are not here, by the names of their Debian packages. */
export const missing = () => ['haproxy', 'pgbouncer'].filter(name => !Bun.which(name, { PATH }))

type Daemon = { pid: number; end: () => Promise<void> }
async function run(
  name: string,
  args: string[],
  log: string,
  owner: { uid?: number; gid?: number } = {},
): Promise<Daemon> {
  const child = Bun.spawn([Bun.which(name, { PATH })!, ...args], {
    ...owner,
    stdin: 'ignore',
    stdout: Bun.file(`${log}.out`),
    stderr: Bun.file(log),
  })
  await Bun.sleep(300)
  if (child.exitCode !== null)
    throw new Error(
      `${name} does not start: ${await Bun.file(log).text()}${await Bun.file(`${log}.out`).text()}`,
    )
  return { pid: child.pid, end: async () => (child.kill('SIGKILL'), void (await child.exited)) }
}

/** HAProxy before servers on these ports; one port of its own for each group of them. */
export async function startProxy(folder: string, groups: number[][]) {
  const ports = groups.map(freePort)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `
defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout http-keep-alive 75s
  option forwardfor
  option redispatch
  retries 3
  retry-on conn-failure
${groups
  .map(
    (group, n) => `
listen group${n}
  bind 127.0.0.1:${ports[n]}
  balance leastconn
  option httpchk
  http-check send meth GET uri /health/ready ver HTTP/1.1 hdr Host kiraya
  default-server check inter 1s fall 3 rise 1
  timeout check 5s
${group.map((port, i) => `  server kiraya${i} 127.0.0.1:${port}`).join('\n')}`,
  )
  .join('\n')}
`,
  )
  return { ports, ...(await run('haproxy', ['-db', '-f', file], join(folder, 'haproxy.log'))) }
}

/** PgBouncer in transaction mode; it refuses to run as root, as PostgreSQL does, whose user it takes. `lead` points it at another port of the socket's folder. */
export async function startPooler(
  folder: string,
  socket: string,
  to: number,
  owner: { uid?: number; gid?: number },
) {
  const at = join(folder, 'pgbouncer')
  const port = freePort()
  const file = join(at, 'pgbouncer.ini')
  const write = (to: number) =>
    writeFile(
      file,
      `
[databases]
postgres = host=${socket} port=${to} user=kiraya
[pgbouncer]
listen_addr =
listen_port = ${port}
unix_socket_dir = ${at}
auth_type = any
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 2
log_connections = 0
log_disconnections = 0
`,
    )
  await mkdir(at, { mode: 0o755 })
  if (owner.uid !== undefined) await chown(at, owner.uid, owner.gid!)
  await write(to)
  const daemon = await run('pgbouncer', [file], join(folder, 'pgbouncer.log'), owner)
  return {
    ...daemon,
    url: `postgresql://kiraya@localhost:${port}/postgres?host=${encodeURIComponent(at)}&prepared=false`,
    lead: async (to: number) => {
      await write(to)
      process.kill(daemon.pid, 'SIGHUP')
    },
  }
}
