import type { SWRConfiguration } from 'swr'

/** `http-client.ts` retries. */
export const swrOptions: SWRConfiguration = {
  shouldRetryOnError: false,
  revalidateOnFocus: true,
  focusThrottleInterval: 30_000,
}
