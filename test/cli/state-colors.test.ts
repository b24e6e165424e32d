import { expect, test } from 'bun:test'
import * as contract from '@kiraya/sdk/contract'
import { colorState } from '../../cli/formats'

test.each([
  ['red', 31, 'overdue bounced rejected reversed disputed TERMINATED declined expired error failed'],
  ['green', 32, 'paid posted accepted ACTIVE signed success ok'],
  ['yellow', 33, 'due reported proposed pending warning'],
  ['blue', 34, 'credited COMPLETED'],
  ['grey', 90, 'DRAFT upcoming projected withdrawn'],
])('what is wrong is red, well green, to do yellow, over blue, to come grey: %s', (_, code, states) => {
  const expected = states.split(' ').map(state => `\u001b[${code}m${state}\u001b[0m`)
  expect(states.split(' ').map(state => colorState(state))).toEqual(expected)
})

const { AgreementStatus, ChargeStatus, PaymentStatus, RevisionStatus, SettlementStatus, SignatureStatus } =
  contract
test.each([
  ['an agreement', AgreementStatus],
  ['a charge', ChargeStatus],
  ['a payment', PaymentStatus],
  ['a rent revision', RevisionStatus],
  ['a settlement', SettlementStatus],
  ['a signature', SignatureStatus],
])('each status of %s has a colour', (_, schema) => {
  const states = (schema.anyOf as { const: string }[]).map(state => state.const)
  expect(states.length).toBeGreaterThan(1)
  expect(states.filter(state => colorState(state) === state)).toEqual([])
})
