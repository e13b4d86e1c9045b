/** Style sheets are bundled beside the script: importing one only names it. */
declare module '*.css';
