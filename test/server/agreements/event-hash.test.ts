import { expect, test } from 'bun:test'
import type { Agreement } from '../../../db/entities'
import { chainEvent } from '../../../server/agreements/timeline'

const NOW = new Date('2026-12-01T06:30:00.123Z')

// Hashes are stored, so that another way to compute them would make every timeline look changed.
test('the hash of an event is that of its fields in JSON, the details by name, after the hash before', () => {
  const agreement = { agreement_id: '4b2d4f0e-6d0c-4c5b-9f57-0a6c0d6f3b11', timeline_length: 0 } as Agreement

  const created = chainEvent(agreement, NOW, 'created', 7)
  const terminated = chainEvent(agreement, NOW, 'terminated', null, {
    termination_date: '2026-12-01',
    reason: 'ಮಾರಾಟ',
  })

  expect([created.hash, terminated.hash]).toEqual([
    '32f245036cef3e3fa3acb88f33d243afff7248816cbd08a411690d3d55b8ddff',
    '6ec44434f57e2e348a1b3de88bccf6512643ddbaadab04d6e41955094d8704ca',
  ])
  expect(agreement).toMatchObject({ timeline_length: 2, timeline_hash: terminated.hash })
})
