import type { SWRConfiguration } from 'swr'

/** Calls retry by themselves (`http-client.ts`); once they have failed, the screen says so. */
export const swrOptions: SWRConfiguration = {
  shouldRetryOnError: false,
  revalidateOnFocus: true,
  focusThrottleInterval: 30_000,
}
