import type { ProviderFailure } from './classify-provider-error.ts'
import { connectionTestMessages } from './connection-test-messages.ts'
import type { LlmPurpose } from './llm-request.ts'
import type { ProviderAddress } from './providers.ts'
import { wrongAddressMessage } from './wrong-address-message.ts'

/** Whom a message is about: the provider's name, the model's, and how they are reached. */
export interface ErrorContext extends Pick<ProviderAddress, 'base_url'> {
  providerName: string
  model: string
  hasKey: boolean
}

/** Each trouble as a sentence for whoever reads it: what happened and what to do. */
export interface LlmErrorMessages {
  /** `said`: the provider's words, without keys. */
  failure(failure: ProviderFailure, asked: ErrorContext, said: string | null): string
  /** `ms`: how long an answer was waited for. */
  timeout(asked: ErrorContext, ms: number): string
  refused(model: string): string
  cutOff(model: string): string
  /** `raw`: what the model wrote the second time. */
  invalidResponse(model: string, complaint: string, raw: string): string
}

/** Of grading: for a teacher whose papers it is about. Of a test of the connection: for whoever is just setting it up. */
export const errorMessagesFor = (purpose: LlmPurpose): LlmErrorMessages =>
  purpose === 'test' ? connectionTestMessages : gradingErrorMessages

const gradingErrorMessages: LlmErrorMessages = {
  failure(failure, asked, said) {
    const { providerName, model } = asked
    const quote = said ? ` It says: “${said}”` : ''
    const status = failure.status ? ` (error ${failure.status})` : ''
    switch (failure.code) {
      case 'unreachable':
        return `${providerName} could not be reached, or broke off its answer${said ? ` (${said})` : ''}. Assay asks again later; if this goes on, check the address in the model's settings and this server's network.`
      case 'rate_limited':
        return `${providerName} takes no more questions for the moment: its limit for this key is reached. Assay goes on by itself; asking fewer questions at once, in the model's settings, avoids this.`
      case 'overloaded':
        return `${providerName} has trouble of its own${status}. Assay asks again later by itself.`
      case 'key_refused':
        return `${providerName} does not accept the key. Enter a valid one in the model's settings.`
      case 'unknown_model':
        return `${providerName} has no model called “${model}” at this address. Check the model's name and the address in the model's settings.${quote}`
      case 'wrong_address':
        return `${wrongAddressMessage(failure, asked, said)} It stands in the model's settings.`
      case 'out_of_credit':
        return `The account with ${providerName} has no credit left. Top it up with the provider, or enter another key in the model's settings.`
      case 'too_long':
        return `This paper is longer than “${model}” can read at once. Grade it by hand, or choose a model that takes longer texts.`
      case 'cannot':
        return failure.unsupported === 'pictures'
          ? `The model “${model}” cannot look at pictures. Switch pictures off in the model's settings, or choose a model that can.${quote}`
          : `The model “${model}” cannot give answers in the form Assay needs. Choose another model.${quote}`
      default:
        if (failure.rejectedLocally && said) return `${said} Check the address in the model's settings.`
        return `${providerName} did not understand the question${status}. Check the provider, the address and the model in the model's settings.${quote}`
    }
  },
  timeout: ({ providerName }, ms) =>
    `${providerName} did not answer within ${Math.ceil(ms / 1_000)} seconds. Assay asks again later; a slow model on your own machine may need fewer questions at once.`,
  refused: (model) =>
    `The model “${model}” refused to answer for this paper. Look at the paper and grade it by hand, or try again with another model.`,
  cutOff: (model) =>
    `The answer of “${model}” was longer than it may be and broke off. Try again; if it happens again, grade this paper by hand.`,
  invalidResponse: (model, complaint) =>
    `The model “${model}” answered twice in a way that cannot be used, so no grade was taken from it. Try again, or grade this paper by hand. What was wrong: ${complaint.replace(/\s+/g, ' ').slice(0, 200)}`,
}
