import type { Failure } from './read-error.ts'

/** Whom a message is about: the provider's name and the model's. */
export interface Asked {
  who: string
  model: string
}

/** A failure as a sentence for a teacher: what happened and what to do. `said`: the provider's words, without keys. */
export function tellFailure(failure: Failure, { who, model }: Asked, said: string | null): string {
  const quote = said ? ` It says: “${said}”` : ''
  switch (failure.code) {
    case 'unreachable':
      return `${who} could not be reached, or broke off its answer${said ? ` (${said})` : ''}. Assay asks again later; if this goes on, check the address in the model's settings and this server's network.`
    case 'rate_limited':
      return `${who} takes no more questions for the moment: its limit for this key is reached. Assay goes on by itself; asking fewer questions at once, in the model's settings, avoids this.`
    case 'overloaded':
      return `${who} has trouble of its own${failure.status ? ` (error ${failure.status})` : ''}. Assay asks again later by itself.`
    case 'key_refused':
      return `${who} does not accept the key. Enter a valid one in the model's settings.`
    case 'unknown_model':
      return `${who} has no model called “${model}” at this address. Check the model's name and the address in the model's settings.${quote}`
    case 'out_of_credit':
      return `The account with ${who} has no credit left. Top it up with the provider, or enter another key in the model's settings.`
    case 'too_long':
      return `This paper is longer than “${model}” can read at once. Grade it by hand, or choose a model that takes longer texts.`
    case 'cannot':
      return failure.lacks === 'pictures'
        ? `The model “${model}” cannot look at pictures. Switch pictures off in the model's settings, or choose a model that can.${quote}`
        : `The model “${model}” cannot give answers in the form Assay needs. Choose another model.${quote}`
    default:
      return `${who} did not understand the question${failure.status ? ` (error ${failure.status})` : ''}. Check the provider, the address and the model in the model's settings.${quote}`
  }
}

export const tellTimeout = ({ who }: Asked, ms: number) =>
  `${who} did not answer within ${Math.ceil(ms / 1_000)} seconds. Assay asks again later; a slow model on your own machine may need fewer questions at once.`

export const tellRefused = (model: string) =>
  `The model “${model}” refused to answer for this paper. Look at the paper and grade it by hand, or try again with another model.`

export const tellCutOff = (model: string) =>
  `The answer of “${model}” was longer than it may be and broke off. Try again; if it happens again, grade this paper by hand.`

export const tellBadAnswer = (model: string, complaint: string) =>
  `The model “${model}” answered twice in a way that cannot be used, so no grade was taken from it. Try again, or grade this paper by hand. What was wrong: ${complaint.replace(/\s+/g, ' ').slice(0, 200)}`
