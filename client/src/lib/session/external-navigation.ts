/** An object, so that tests can see where to. */
export const externalNavigation = {
  goTo(address: string): void {
    location.assign(address)
  },
}
