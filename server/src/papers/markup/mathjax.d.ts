/** MathJax 4 has no types (https://docs.mathjax.org/en/v4.0/server/). */
declare module 'mathjax' {
  interface LiteAdaptor<Node> {
    kind(node: Node): string
    getAttribute(node: Node, name: string): string | undefined
    childNodes(node: Node): Node[]
  }
  export interface MathJaxOutput<Node = object> {
    tex2svgPromise(tex: string, options: { display: boolean }): Promise<Node>
    startup: { adaptor: LiteAdaptor<Node> }
  }
  const MathJax: { init(settings: object): Promise<MathJaxOutput> }
  export default MathJax
}
