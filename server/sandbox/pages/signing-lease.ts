import { formatAddress, formatTerm, roleLabels } from '../../leases/lease-labels'
import type { LeaseSummary } from '../lease-summary'
import { formatRupees } from '../../domain/formats'
import { isComplete, type RequestSigner } from '../signing-model'
import {
  card,
  descriptionList,
  isHttpUrl,
  itemList,
  link,
  listItem,
  paragraph,
  time,
} from '../../pages/elements'
import { html } from '../../pages/html'

/** What a signer agrees to, and with whom. */
export function leaseCard({ agreement_number, terms, premises, others }: LeaseSummary) {
  const { rent_amount, deposit_amount } = terms
  return card('Your lease', [
    descriptionList({
      Agreement: agreement_number,
      Rent: `${formatRupees(rent_amount)} a month`,
      Deposit: deposit_amount ? formatRupees(deposit_amount) : 'None',
      Term: formatTerm(terms),
      Unit: premises.unit_name,
      Address: formatAddress(premises),
    }),
    html`<h3>${others.length > 1 ? 'The other parties' : 'The other party'}</h3>`,
    itemList(others.map(toOtherItem), ''),
  ])
}

function toOtherItem({ role, name, hasSigned }: LeaseSummary['others'][number]) {
  const state = hasSigned ? 'Has signed' : 'Has not signed yet'
  return name ? listItem(name, roleLabels[role], state) : listItem(roleLabels[role], state)
}

/** The document within the page, with links for browsers that do not show a PDF there. */
export function documentCard({ request }: RequestSigner, path: string, validityLabel: string) {
  const { document, documentUrl } = request
  const own = `${path}/document.pdf`
  const address = document ? own : (documentUrl ?? '')
  const isReadable = isHttpUrl(address)
  const title = isReadable ? link(address, 'Read the document') : 'The document'
  const signedPdf = link(`${path}/signed.pdf`, 'Download the signed PDF')
  return card('Document', [
    itemList([listItem(title, document?.name ?? documentUrl)], ''),
    isReadable && documentFrame(own),
    descriptionList({
      [validityLabel]: time(request.validUpto),
      ...(isComplete(request) && { 'Signed copy': signedPdf }),
    }),
  ])
}

const documentFrame = (address: string) =>
  html`<object
    class="document"
    data="${address}#toolbar=0&navpanes=0&view=FitH"
    type="application/pdf"
    aria-label="The document"
  >
    ${paragraph('Your browser does not show the document here. Use the link above.', 'note')}
  </object>`
