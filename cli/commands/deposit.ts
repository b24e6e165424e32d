import type { Deposit } from '@kiraya/sdk'
import {
  AcceptInput,
  DepositSettlement,
  DisputeInput,
  NewSettlement,
  SettlementPosting,
} from '@kiraya/sdk/contract/deposits'
import type { Context } from '../runtime/context'
import { download, read, send, type Verbs } from '../runtime/verbs'

const ofDeposit = { records: ['agreement'], result: DepositSettlement } as const

export const verbs: Verbs = {
  get: read({
    summary: 'Show what was agreed, is held, was deducted and went back, and the settlement',
    records: ['agreement'],
    call: client => client.deposits.get,
    show: showDeposit,
  }),
  download: download({
    summary: 'Save the settlement, also a proposed one, as a PDF',
    records: ['agreement'],
    file: 'agreement-<id>-settlement.pdf',
    call: client => client.deposits.settlementPdf,
  }),
  settle: send({
    summary: 'Propose how to settle the deposit of a lease that has ended; again replaces the proposal',
    ...ofDeposit,
    input: NewSettlement,
    words: {
      deductions: {
        kind: 'items',
        alias: 'deduction',
        description: 'what you keep, as "damage:12000:Painting"',
        isRequired: false,
      },
    },
    examples: [
      'kiraya deposit settle AGR-2026-000001 --refund-method bank_transfer \\',
      '  --deduction "electricity:1430:Last bill" --deduction damage:12000:Painting',
    ],
    // Without a deduction everything goes back that open charges leave.
    call:
      client =>
      (id, { deductions = [], ...refund }) =>
        client.deposits.settle(id, { deductions, ...refund }),
  }),
  post: send({
    summary:
      'Settle as proposed, once a tenant has answered, also on paper, or let the days for an answer pass',
    ...ofDeposit,
    input: SettlementPosting,
    words: { accepted_on_paper: { kind: 'acceptance' }, unanswered: { kind: 'switch' } },
    examples: ['kiraya deposit post AGR-2026-000001 --reference 432156789012 --unanswered'],
    confirm: agreement => `Settle the deposit of ${agreement}, for good`,
    call: client => client.deposits.post,
  }),
  accept: send({
    summary: 'Accept the proposed settlement, as a tenant',
    ...ofDeposit,
    input: AcceptInput,
    call: client => client.deposits.accept,
  }),
  dispute: send({
    summary: 'Dispute the proposed settlement, as a tenant; the reason stays on record',
    ...ofDeposit,
    input: DisputeInput,
    examples: [
      'kiraya deposit dispute AGR-2026-000001 --reason "The geyser was broken before" \\',
      '  --settlement-id 6ba7b861-9dad-41d1-80b4-00c04fd430c8',
    ],
    call: client => client.deposits.dispute,
  }),
}

function showDeposit(context: Context, { settlement, ...deposit }: Deposit) {
  context.show(deposit)
  if (!settlement) return
  context.terminal.out('')
  context.show(settlement)
}
