import { AppLoading } from './AppLoading.tsx'

/** Written into the page by the server on the way into a launch; the program would clear it as it starts. */
let first = document.querySelector<HTMLElement>('#root > .first-heading')

/** Once a page of the launch stands, another may be loading. */
export const forgetFirstHeading = (): void => {
  first = null
}

/** The heading that stands already, so that it does not go and come again; without one, that something is loading. */
export function FirstHeading() {
  if (first === null) return <AppLoading>Opening Assay…</AppLoading>
  return (
    <main className="first-heading" data-width={first.dataset.width} aria-busy data-loading>
      <h1>{first.textContent}</h1>
    </main>
  )
}
