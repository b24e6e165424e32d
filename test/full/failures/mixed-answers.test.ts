import { testMixedAnswers } from '../../support/mixed/mixing'

testMixedAnswers(20_000, 16)
