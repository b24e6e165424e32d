import { testHistories } from '../../server/leases/histories'

testHistories(400, { endsEverywhere: true })
