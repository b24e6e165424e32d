import { testMixedAnswers } from '../../support/mixed/mixing'

testMixedAnswers(400, 4)
