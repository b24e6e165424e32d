import { expect, test } from 'bun:test'
import {
  findObstacle,
  nextWait,
  type PrimaryStatus,
  type ReplicaIdentity,
  type Wait,
} from '../../../server/process/read-replica'

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
  is_stalled: false,
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
  [
    'a commit that waits for long begins it anew',
    wait,
    { is_stalled: true },
    9000,
    { sender: 7, sinceMs: 9000, position: '0/20' },
  ],
  ['no connection ends it', wait, { sender: null, standbys: 0 }, 9000, undefined],
  ['two standbys of one name end it', wait, { standbys: 2 }, 9000, undefined],
  ['an asynchronous standby ends it', wait, { is_synchronous: false }, 9000, undefined],
  ['commits that do not wait for the replay end it', wait, { is_remote_apply: false }, 9000, undefined],
])('%s', (_, previous, status, nowMs, next) => {
  expect(nextWait(previous, { ...waitedFor, ...status }, nowMs, SETTLE_MS)).toEqual(next)
})

const standby: ReplicaIdentity = { name: 'replica', is_standby: true, system: '1' }
const foreign = 'the replica does not follow this primary'
const catchingUp = 'the replica is catching up'

test.each<[string, ReplicaIdentity | undefined, Partial<PrimaryStatus>, Wait | undefined, number, string]>([
  ['that has settled and caught up', standby, {}, wait, 1000, ''],
  ['that has not settled', standby, {}, wait, 999, catchingUp],
  ['that has not caught up', standby, { is_caught_up: false }, wait, 1000, catchingUp],
  ['that does not answer', undefined, {}, wait, 1000, 'the replica does not answer'],
  ['that was promoted', { ...standby, is_standby: false }, {}, wait, 1000, foreign],
  ['of another primary', { ...standby, system: '2' }, {}, wait, 1000, foreign],
  [
    'that the primary does not wait for',
    standby,
    {},
    undefined,
    1000,
    'the primary does not wait until the replica shows what it confirms',
  ],
])('what keeps reads from a replica %s', (_, identity, status, given, settledMs, obstacle) => {
  expect(findObstacle(identity, { ...waitedFor, ...status }, given, settledMs)).toBe(obstacle)
})
