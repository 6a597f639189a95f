import type { LlmErrorMessages } from '../llm/errors/classify-provider-error.ts'
import { wrongAddressMessage } from '../llm/errors/connection-test-messages.ts'

export const gradingErrorMessages: LlmErrorMessages = {
  failure(failure, context, quote) {
    const { providerName, model } = context
    const says = quote ? ` It says: “${quote}”` : ''
    const status = failure.status ? ` (error ${failure.status})` : ''
    switch (failure.code) {
      case 'unreachable':
        return `${providerName} could not be reached, or the connection was interrupted${quote ? ` (${quote})` : ''}. Assay tries again later. If this continues, check the address in the model's settings and this server's network.`
      case 'rate_limited':
        return `${providerName} has reached the rate limit of this key. Assay continues automatically; to avoid this, lower the number of parallel requests in the model's settings.`
      case 'overloaded':
        return `${providerName} reports a temporary error${status}. Assay tries again later.`
      case 'key_refused':
        return `${providerName} does not accept the key. Enter a valid one in the model's settings.`
      case 'unknown_model':
        return `${providerName} has no model called “${model}” at this address. Check the model's name and the address in the model's settings.${says}`
      case 'wrong_address':
        return `${wrongAddressMessage(failure, context, quote)} You can change it in the model's settings.`
      case 'out_of_credit':
        return `The account with ${providerName} has no credit left. Add credit at the provider, or enter another key in the model's settings.`
      case 'too_long':
        return `This paper is longer than “${model}” can read at once. Grade it yourself, or choose a model that accepts longer texts.`
      case 'cannot':
        return failure.unsupported === 'pictures'
          ? `The model “${model}” cannot read images. Turn off images in the model's settings, or choose a model that can.${says}`
          : `The model “${model}” cannot answer in the format Assay needs. Choose another model.${says}`
      default:
        if (failure.rejectedLocally && quote) return `${quote} Check the address in the model's settings.`
        return `${providerName} rejected the request${status}. Check the provider, the address and the model in the model's settings.${says}`
    }
  },
  timeout: ({ providerName }, timeoutMs) =>
    `${providerName} did not answer within ${Math.ceil(timeoutMs / 1_000)} seconds. Assay tries again later; a slow model on your own machine may need fewer parallel requests.`,
  refused: (model) =>
    `The model “${model}” refused to answer for this paper. Grade it yourself, or try again with another model.`,
  cut_off: (model) =>
    `The response of “${model}” was too long and was cut off. Try again; if it happens again, grade this paper yourself.`,
  invalidResponse: (model, complaint) =>
    `“${model}” gave an unusable response twice, so this paper was not graded. Try again, or grade this paper yourself. Reason: ${complaint.replace(/\s+/g, ' ').slice(0, 200)}`,
}
