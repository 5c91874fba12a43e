/** Programs inside a package's WebAssembly, which its own licence does not speak of; a section of a page of licences. */
export const INSIDE_LAYOUT = `
## Inside @hpcc-js/wasm-graphviz

Graphviz, under the Eclipse Public License (https://graphviz.org/license/). Its source: https://gitlab.com/graphviz/graphviz
Expat, under the MIT License. Its source: https://github.com/libexpat/libexpat
`;
