import pLimit from 'p-limit'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { parseCount } from '../counts'
import { createProgress } from '../progress'
import { requireSandbox } from '../sandbox-pages'
import { seedLandlord, type SeedRun } from '../seed/landlord'
import { planLandlords, type LandlordPlan } from '../seed/plan'

const LANDLORDS_AT_ONCE = 4
const MAX_LANDLORDS = 1000
const MAX_SCALE = 200
const columns = ['phone', 'first_name', 'last_name', 'city', 'properties', 'units', 'agreements']

type Options = { seed: string; landlords: number; scale: number; otp: string; yes?: boolean }

export function addSeedCommand(program: CliCommand) {
  program
    .command('seed')
    .description('Create Indian demo data through the API; running it again completes what is missing')
    .option('--seed <text>', 'the same seed gives the same data', '1')
    .option('--landlords <number>', 'landlords, from a region and script each', parseCount(MAX_LANDLORDS), 4)
    .option('--scale <number>', 'properties per landlord, in fives', parseCount(MAX_SCALE), 1)
    .option('--otp <digits>', "the sandbox's one-time password", '123456')
    .addConfirmFlag()
    .addExamples('kiraya seed', 'kiraya seed --seed demo --landlords 20 --scale 20')
    .addResult(columns)
    .run(seed)
}

async function seed(context: Context, { yes, otp, ...size }: Options) {
  await requireSandbox(context, `Create demo data on ${context.baseUrl}, which may be in production`, yes)
  const plans = planLandlords(size, new Date())
  const summaries = plans.map(toSummary)
  const total = summaries.reduce((sum, { units, agreements }) => sum + units + agreements, 0)

  const progress = createProgress(context, 'units and agreements', total)
  await seedLandlords({ context, otp, seed: size.seed, progress }, plans)
  progress.end()

  context.show(summaries, columns)
  const signIn = context.toCommandLine(`login --phone ${plans[0]!.phone} --otp ${otp}`)
  context.printNote(`Next: ${signIn}`)
}

/** After a failure no landlord is begun; those that are under way end first, so that the error comes last. */
async function seedLandlords(run: SeedRun, plans: LandlordPlan[]) {
  const limit = pLimit(LANDLORDS_AT_ONCE)
  const failures: unknown[] = []
  await limit.map(plans, async plan => {
    if (failures.length > 0) return
    await seedLandlord(run, plan).catch((error: unknown) => failures.push(error))
  })
  if (failures.length > 0) throw failures[0]
}

const toSummary = ({ phone, first_name, last_name, city, properties, leases }: LandlordPlan) => ({
  phone,
  first_name,
  last_name,
  city,
  properties: properties.length,
  units: properties.reduce((sum, { property_units }) => sum + property_units.length, 0),
  agreements: leases.length,
})
