import pLimit from 'p-limit'
import type { Context } from '../runtime/context'
import { parseCount } from '../input/kinds'
import { createProgress } from '../output/progress'
import { requireSandbox } from '../runtime/sandbox'
import type { Verb } from '../runtime/verbs'
import { counts, seedLandlord, type SeedRun } from '../seed/landlord'

const LANDLORDS_AT_ONCE = 4
const MAX_LANDLORDS = 1000
const columns = ['phone', 'first_name', 'last_name', 'city', 'properties', 'units', 'agreements']

type Options = { seed: string; landlords: number; otp: string; yes?: boolean }

export const verb: Verb = command =>
  command
    .option('--seed <text>', 'the same seed gives the same data', '1')
    .option('--landlords <number>', 'landlords, from a region and script each', parseCount(MAX_LANDLORDS), 4)
    .option('--otp <digits>', "the sandbox's one-time password", '123456')
    .addConfirmFlag()
    .addExamples('kiraya seed', 'kiraya seed --seed demo --landlords 20')
    .addResult(columns)
    .run(seedData)

async function seedData(context: Context, { seed, landlords, otp, yes }: Options) {
  await requireSandbox(context, `Create demo data on ${context.baseUrl}, which may be in production`, yes)
  const total = landlords * (counts.units + counts.agreements)
  const progress = createProgress(context, 'units and agreements', total)
  const seeded = await seedLandlords({ context, otp, seed, progress }, landlords)
  progress.end()

  context.show(seeded, columns)
  const signIn = context.toCommandLine(`login --phone ${seeded[0]!.phone} --otp ${otp}`)
  context.printNote(`Next: ${signIn}`)
}

/** After a failure no landlord is begun; those that are under way end first, so that the error comes last. */
async function seedLandlords(run: SeedRun, count: number) {
  const limit = pLimit(LANDLORDS_AT_ONCE)
  const failures: unknown[] = []
  const seeded = await limit.map(Array.from({ length: count }).keys(), async index => {
    if (failures.length > 0) return undefined
    return seedLandlord(run, index).catch((error: unknown) => void failures.push(error))
  })
  if (failures.length > 0) throw failures[0]
  return seeded.filter(landlord => landlord !== undefined)
}
