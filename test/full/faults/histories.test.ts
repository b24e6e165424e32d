import { testHistories } from '../../server/agreements/histories'

testHistories(400, { endsEverywhere: true })
