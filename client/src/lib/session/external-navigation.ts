/** To an address outside the client: the whole document goes. An object, so that tests can see where to. */
export const externalNavigation = {
  to(address: string): void {
    location.assign(address)
  },
}
