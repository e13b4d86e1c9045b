/** Style sheets are bundled beside the script: an import only names them. */
declare module '*.css';
