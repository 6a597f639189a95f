import type { LlmErrorMessages } from './llm-error-messages.ts'
import { unreachableMessage } from './network-error-message.ts'
import { wrongAddressMessage } from './wrong-address-message.ts'

/** What is wrong with a connection that somebody is setting up, and what to do. There are no papers here, and nobody asks again later. */
export const connectionTestMessages: LlmErrorMessages = {
  failure(failure, asked, said) {
    const { providerName, model, base_url, hasKey } = asked
    const quote = said ? ` It says: “${said}”` : ''
    const status = failure.status ? ` (error ${failure.status})` : ''
    switch (failure.code) {
      case 'unreachable':
        return unreachableMessage(providerName, base_url, said)
      case 'rate_limited':
        return `${providerName} takes no more questions for the moment: the limit of this key is reached. ${retryHint(failure.retryAfterMs)}${quote}`
      case 'overloaded':
        return `${providerName} is reached, but has trouble of its own${status}. Test again in a few minutes${base_url ? '; the log of that server tells more' : ''}.${quote}`
      case 'key_refused':
        if (!hasKey) return `${providerName} wants a key, and none is entered.${quote}`
        return failure.status === 403
          ? `${providerName} knows the key, but does not let it use this${status}. Give the key the rights with the provider, or enter another one.${quote}`
          : `${providerName} does not accept the key. Copy it anew, whole; it must belong to this provider.${quote}`
      case 'unknown_model':
        return `${providerName} has no model called “${model}”. Write its name exactly as it stands in the provider's list; on a server of your own, load it first (Ollama: ollama pull).${quote}`
      case 'wrong_address':
        return wrongAddressMessage(failure, asked, said)
      case 'out_of_credit':
        return `The account with ${providerName} has no credit left. Top it up with the provider, or enter another key.${quote}`
      case 'too_long':
        return `“${model}” cannot take even this short question at once. Give it a context of 8,000 tokens or more, or choose another model.${quote}`
      case 'cannot':
        return failure.unsupported === 'pictures'
          ? `“${model}” cannot look at pictures. Choose a model that can, or switch pictures off in its settings: scanned and handwritten papers are then graded by what text recognition finds.${quote}`
          : `“${model}” takes no structured output: neither a JSON schema nor its description in words. Choose a model that does.${quote}`
      default:
        if (failure.rejectedLocally && said) return said
        return `${providerName} is reached, but does not understand the question${status}. Check that the provider, the address and the model belong together.${quote}`
    }
  },
  timeout: ({ providerName }, ms) =>
    `${providerName} is reached, but gave no answer within ${Math.ceil(ms / 1_000)} seconds. A model on your own machine may still be loading: test again in a minute.`,
  refused: (model) => `“${model}” refused this harmless question. Choose another model.`,
  cutOff: (model) =>
    `The answer of “${model}” broke off before its end. A model that thinks at length, or one with a small context, does that: give it a context of 8,000 tokens or more, or choose another model.`,
  invalidResponse: (model, _complaint, raw) =>
    `“${model}” answers, but twice not in the form asked for: ${isJson(raw) ? 'the list was not filled in as it was told' : 'it wrote no JSON'}. Most grades would fail. Choose a model that is good at structured output.${excerptOf(raw)}`,
}

const retryHint = (ms: number | null) =>
  ms === null ? 'Test again in a minute.' : `Test again in ${Math.max(1, Math.ceil(ms / 1_000))} seconds.`

function isJson(raw: string): boolean {
  try {
    return typeof JSON.parse(raw) === 'object'
  } catch {
    return false
  }
}

/** It was asked about nobody's paper, so what it wrote may be shown. */
function excerptOf(raw: string): string {
  const text = raw.replace(/\s+/g, ' ').trim()
  if (text === '') return ' It wrote nothing.'
  return ` It wrote: “${text.slice(0, 80)}${text.length > 80 ? ' …' : ''}”`
}
