import { Elysia } from 'elysia'
import type { SigningOutcome } from '@kiraya/sdk/contract'
import { findLeaseSummary, type LeaseSummary } from '../lease-summary'
import type { SandboxCore } from '../core'
import {
  formatShownPhone,
  getClosingReason,
  hasDeclined,
  isSigningOutcome,
  type ClosingReason,
  type RequestSigner,
  type Signer,
} from '../signing-model'
import { applySigningOutcome, markOpened } from '../signing-requests'
import { getSigningUrl } from '../signing-views'
import {
  badge,
  card,
  itemList,
  link,
  listItem,
  notice,
  paragraph,
  section,
  type Tone,
} from '../../pages/elements'
import { outcomeButtons } from '../../pages/forms'
import { html } from '../../pages/html'
import { noSuchActionPage, notFoundPage, peoplePage } from './people-layout'
import { documentCard, leaseCard } from './signing-lease'

const NOT_FOUND = 'signing request'

/** A signer's pages; the response to an outcome comes after its webhook. */
export const signingPageRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox/sign' })
    .get('/:id', async ({ params }) => {
      const part = await markOpened(sandbox, params.id)
      if (!part) return notFoundPage(NOT_FOUND)
      const closedBy = getClosingReason(part, await sandbox.clock.now())
      const signing = { requestId: part.request.id, providerSignatureId: part.signer.id }
      const lease = await findLeaseSummary(sandbox.deps, signing)
      return signingPage(part, { path: getSigningPath(sandbox, part), closedBy, lease })
    })
    .post('/:id/:outcome', async ({ params: { id, outcome } }) => {
      if (!isSigningOutcome(outcome)) return noSuchActionPage()
      const part = await applySigningOutcome(sandbox, id, outcome)
      if (!part) return notFoundPage(NOT_FOUND)
      if (part.closedBy) return closedPage(part.closedBy)
      const redirectUrl = sandbox.deps.config.ESIGN_REDIRECT_URL
      if (redirectUrl) return Response.redirect(redirectUrl, 303)
      return outcomePage(part, getSigningPath(sandbox, part), outcome)
    })

const getSigningPath = (sandbox: SandboxCore, part: RequestSigner) =>
  new URL(getSigningUrl(sandbox, part)).pathname

const closingTexts: Record<ClosingReason, string> = {
  signed: 'You have signed already.',
  declined: 'You have declined to sign.',
  cancelled: 'The request was cancelled.',
  expired: 'The time to sign has run out.',
}

const retryTexts: Record<string, string> = {
  invaild_otp: 'The last one-time password was wrong.',
  session_expired: 'The session has expired.',
}

type SigningView = { path: string; closedBy: ClosingReason | undefined; lease: LeaseSummary | undefined }

function signingPage(part: RequestSigner, { path, closedBy, lease }: SigningView) {
  const body = [
    closedBy ? closedNotice(closedBy) : invitation(part.signer),
    lease && leaseCard(lease),
    documentCard(part, path, closedBy ? 'Was open until' : 'Open until'),
    signersCard(part),
    !closedBy && decision(path),
  ]
  return peoplePage('Sign your rental agreement', body, { hasDocument: true })
}

const closedNotice = (closedBy: ClosingReason) =>
  notice(`This request is closed. ${closingTexts[closedBy]}`, closedBy === 'signed' ? 'good' : 'bad')

function invitation({ displayName, errCode }: Signer) {
  const error = errCode && retryTexts[errCode]
  return [
    paragraph(
      `${displayName}, Kiraya asks for your signature. Read the whole document before you sign.`,
      'lead',
    ),
    error && notice(`${error} You can try again.`, 'bad'),
  ]
}

const decision = (path: string) =>
  section('Your decision', [
    paragraph('The sandbox does not ask for a one-time password.', 'note'),
    outcomeButtons(path, { sign: 'Sign', decline: 'Decline' }, 'sign'),
    html`<h3>For testing</h3>`,
    outcomeButtons(path, { 'fail-otp': 'Fail OTP', expire: 'Expire' }),
  ])

function signersCard({ request, signer }: RequestSigner) {
  const items = request.signers.map(other => {
    const isSelf = other.id === signer.id
    const name = isSelf ? `${other.displayName} (you)` : other.displayName
    return [listItem(name, formatShownPhone(other)), signerBadge(other)]
  })
  return card(items.length > 1 ? 'Signers' : 'Signer', itemList(items, ''))
}

function signerBadge(signer: Signer) {
  if (signer.status === 'signed') return badge('Signed', 'good')
  if (hasDeclined(signer)) return badge('Declined', 'bad')
  return signer.status === 'in_progress' ? badge('Opened', 'busy') : badge('Waiting')
}

const outcomeTexts: Record<SigningOutcome, { title: string; text: string; tone: Tone }> = {
  sign: {
    title: 'You have signed',
    text: 'Kiraya has received your signature. The agreement becomes active when everyone has signed.',
    tone: 'good',
  },
  decline: {
    title: 'You have declined to sign',
    text: 'Kiraya has received your decision. The landlord can ask you again.',
    tone: 'bad',
  },
  'fail-otp': {
    title: 'The one-time password was wrong; you can try again',
    text: 'The request stays open.',
    tone: 'bad',
  },
  expire: {
    title: 'The time to sign has run out',
    text: 'The landlord can ask you again.',
    tone: 'bad',
  },
}

function outcomePage(part: RequestSigner, path: string, outcome: SigningOutcome) {
  const { title, text, tone } = outcomeTexts[outcome]
  return peoplePage(title, [
    notice(text, tone),
    outcome === 'fail-otp' && paragraph(link(path, 'Back to the document')),
    outcome === 'sign' && paragraph(link(`${path}/signed.pdf`, 'Download the PDF as signed so far')),
    part.request.signers.length > 1 && signersCard(part),
  ])
}

const closedPage = (closedBy: ClosingReason) =>
  peoplePage('This request is closed', notice(closingTexts[closedBy], 'bad'), { status: 400 })
