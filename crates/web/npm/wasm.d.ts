/** What a bundler makes of the file: an address, bytes or a compiled module; see its manual. */
declare const source: any;
export default source;
