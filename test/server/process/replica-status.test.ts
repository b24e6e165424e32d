import { expect, test } from 'bun:test'
import { nextWait, type PrimaryStatus, type Wait } from '../../../server/process/replica-status'

const SETTLE_MS = 5000
const wait: Wait = { sender: 7, sinceMs: 1000, position: '0/10' }
const waitedFor: PrimaryStatus = {
  system: '1',
  position: '0/20',
  standbys: 1,
  sender: 7,
  is_synchronous: true,
  is_caught_up: true,
  is_remote_apply: true,
  is_blocking_commits: false,
}
const moved: Wait = { ...wait, position: '0/20' }

test.each<
  [
    what: string,
    previous: Wait | undefined,
    status: Partial<PrimaryStatus>,
    nowMs: number,
    next: Wait | undefined,
  ]
>([
  ['a first wait begins now', undefined, {}, 3000, { sender: 7, sinceMs: 3000, position: '0/20' }],
  ['while it settles, the position moves on', wait, {}, 5999, moved],
  ['once it has settled, the position stays', wait, {}, 6000, wait],
  [
    'another connection begins anew',
    wait,
    { sender: 8 },
    9000,
    { sender: 8, sinceMs: 9000, position: '0/20' },
  ],
  ['no connection ends it', wait, { sender: null, standbys: 0 }, 9000, undefined],
  ['two standbys of one name end it', wait, { standbys: 2 }, 9000, undefined],
  ['an asynchronous standby ends it', wait, { is_synchronous: false }, 9000, undefined],
  ['commits that do not wait for the replay end it', wait, { is_remote_apply: false }, 9000, undefined],
])('%s', (_, previous, status, nowMs, next) => {
  expect(nextWait(previous, { ...waitedFor, ...status }, nowMs, SETTLE_MS)).toEqual(next)
})
