import { Elysia } from 'elysia'
import type { CheckOutcome } from '@kiraya/sdk/contract'
import type { SandboxCore } from '../core'
import { applyCheckOutcome, isCheckOpen, isCheckOutcome, markCheckOpened, type KycCheck } from '../kyc-checks'
import { card, descriptionList, link, notice, paragraph, section, type Tone } from '../../pages/elements'
import { outcomeButtons } from '../../pages/forms'
import { noSuchActionPage, notFoundPage, peoplePage } from './people-layout'

const NOT_FOUND = 'identity check'

/** The pages on which a person shares their identity. */
export const kycPageRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox/verify' })
    .get('/:id', async ({ params }) => {
      const check = await markCheckOpened(sandbox, params.id)
      return check ? checkPage(check) : notFoundPage(NOT_FOUND)
    })
    .post('/:id/:outcome', async ({ params: { id, outcome } }) => {
      if (!isCheckOutcome(outcome)) return noSuchActionPage()
      const result = await applyCheckOutcome(sandbox, id, outcome)
      if (!result) return notFoundPage(NOT_FOUND)
      return result.hasChanged ? outcomePage(result.check, outcome) : finishedPage()
    })

function checkPage(check: KycCheck) {
  const { id, status } = check
  const isOpen = isCheckOpen(check)
  return peoplePage('Share your identity with Kiraya', [
    paragraph('Kiraya verifies landlords and tenants, so that both know who they deal with.', 'lead'),
    !isOpen && notice('This identity check is finished.', status === 'SUCCESS' ? 'good' : 'bad'),
    card(
      'What is read from your Aadhaar, once',
      descriptionList({
        Name: 'as in your Aadhaar',
        Number: 'only its last four digits',
        'Not stored': 'your photo, your address, your date of birth and the rest of the number',
      }),
    ),
    isOpen &&
      section('Your decision', [
        paragraph('The sandbox does not ask for a one-time password.', 'note'),
        outcomeButtons(`/sandbox/verify/${id}`, { approve: 'Approve', fail: 'Fail' }, 'approve'),
      ]),
  ])
}

const outcomeTexts: Record<CheckOutcome, { title: string; text: string; tone: Tone }> = {
  approve: {
    title: 'Your identity is verified',
    text: 'Kiraya has received the result. Go back to Kiraya to continue.',
    tone: 'good',
  },
  fail: {
    title: 'The identity check failed',
    text: 'Kiraya has received the result. You can start again there.',
    tone: 'bad',
  },
}

function outcomePage({ redirectUrl }: KycCheck, outcome: CheckOutcome) {
  const { title, text, tone } = outcomeTexts[outcome]
  return peoplePage(title, [notice(text, tone), paragraph(link(redirectUrl, 'Continue to Kiraya'))])
}

const finishedPage = () =>
  peoplePage('This identity check is finished', notice('Its result cannot be changed.', 'bad'), {
    status: 400,
  })
