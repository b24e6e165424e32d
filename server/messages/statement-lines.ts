import type { Language } from '@kiraya/sdk/contract'

/** What the words of a line are made of, worded themselves; null does not belong to it. */
type LineParts = {
  charge: string | null
  reason: string | null
  method: string | null
  reference: string | null
  receipt: string | null
  /** Rupees of a payment that were withheld as tax. */
  tax: string | null
  reversal: string | null
}

type Words = (line: LineParts) => string
type Lines = Record<
  | 'charge'
  | 'credit'
  | 'payment'
  | 'tax'
  | 'refund'
  | 'settlement'
  | 'moved_in'
  | 'moved_out'
  | 'opening'
  | 'payment_reversal'
  | 'refund_reversal',
  Words
>

const join = (separator: string, ...parts: (string | null)[]) => parts.filter(Boolean).join(separator)

const en: Lines = {
  charge: ({ charge }) => charge!,
  credit: ({ reason, charge }) => `Credit, ${reason}: ${charge}`,
  payment: ({ method, reference, receipt, tax }) =>
    join(', ', join(' ', 'Payment by', method, reference), `receipt ${receipt}`, tax && `with TDS of ${tax}`),
  tax: ({ receipt }) => `Tax withheld (TDS), receipt ${receipt}`,
  refund: ({ reference, receipt }) =>
    join(', ', 'Advance paid back', reference, receipt && `from receipt ${receipt}`),
  settlement: ({ charge }) => join(': ', 'Settled from the deposit', charge),
  moved_in: () => 'Advance from the lease before',
  moved_out: ({ receipt }) =>
    join(', ', 'Advance moved to the renewed lease', receipt && `from receipt ${receipt}`),
  opening: () => 'Advance from before the books',
  payment_reversal: ({ receipt, reversal }) =>
    join(': ', join(', ', 'Payment taken back', receipt && `receipt ${receipt}`), reversal),
  refund_reversal: ({ reference, reversal }) =>
    join(': ', join(', ', 'Refund taken back', reference), reversal),
}

const hi: Lines = {
  charge: ({ charge }) => charge!,
  credit: ({ reason, charge }) => `छूट, ${reason}: ${charge}`,
  payment: ({ method, reference, receipt, tax }) =>
    join(', ', join(' ', method, reference, 'से भुगतान'), `रसीद ${receipt}`, tax && `${tax} टीडीएस के साथ`),
  tax: ({ receipt }) => `काटा गया टैक्स (टीडीएस), रसीद ${receipt}`,
  refund: ({ reference, receipt }) =>
    join(', ', 'लौटाया गया अग्रिम', reference, receipt && `रसीद ${receipt} से`),
  settlement: ({ charge }) => join(': ', 'जमा राशि से चुकाया गया', charge),
  moved_in: () => 'पिछले समझौते से आया अग्रिम',
  moved_out: ({ receipt }) => join(', ', 'नवीनीकृत समझौते में गया अग्रिम', receipt && `रसीद ${receipt} से`),
  opening: () => 'खाते शुरू होने से पहले का अग्रिम',
  payment_reversal: ({ receipt, reversal }) =>
    join(': ', join(', ', 'वापस लिया गया भुगतान', receipt && `रसीद ${receipt}`), reversal),
  refund_reversal: ({ reference, reversal }) =>
    join(': ', join(', ', 'अग्रिम की वापसी पलटी गई', reference), reversal),
}

/** What the lines of a statement say. */
export const statementLines: Record<Language, Lines> = { en, hi }
