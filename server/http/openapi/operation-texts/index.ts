import { accountTexts } from './accounts'
import { bookTexts } from './books'
import { depositTexts } from './deposits'
import { leaseTexts } from './leases'
import { platformTexts } from './platform'
import { reportTexts } from './reports'

type OperationText = { id: string; description: string }

/** The id and the description of each operation, named `METHOD /path/{id}`. */
export const operationTexts: Record<string, OperationText> = {
  ...accountTexts,
  ...leaseTexts,
  ...bookTexts,
  ...depositTexts,
  ...reportTexts,
  ...platformTexts,
}
